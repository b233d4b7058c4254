// Grundy values of octal and hexadecimal codes and of Grundy's game by the plain loop: what no engine may lose to.
//   cc -O3 -march=native plain.c -o plain && ./plain 0.77 100000      (also: ./plain grundy 100000)
// Prints a sum over the values, so that runs can be compared and nothing is optimised away.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 64, MOST_VALUES = 1 << 20 };

int main(int count, char **words) {
    if (count != 3) {
        fputs("plain CODE N\n", stderr);
        return 2;
    }
    const char *code = words[1];
    const long most = atol(words[2]);
    const int unequal = !strcmp(code, "grundy");
    int digit[MOST_DIGITS] = {0}, digits = 0;
    if (!unequal) {
        const char *point = strchr(code, '.');
        if (point == NULL || strlen(point) > MOST_DIGITS) return 2;
        digit[0] = point == code ? 0 : *code - '0';
        for (const char *c = point + 1; *c; c++) digit[++digits] = *c >= 'A' ? *c - 'A' + 10 : *c - '0';
    }
    uint16_t *value = calloc(most + 1, sizeof *value);
    uint32_t *seen = calloc(MOST_VALUES, sizeof *seen);
    if (value == NULL || seen == NULL) return 2;
    for (uint32_t n = 1; n <= (uint32_t)most; n++) {
        if (unequal)
            for (long a = 1; 2 * a < n; a++) seen[value[a] ^ value[n - a]] = n;
        for (int k = 0; !unequal && k <= digits && k <= (long)n; k++) {
            const long rest = n - k;
            if (digit[k] & 1 && rest == 0) seen[0] = n;
            if (digit[k] & 2 && rest > 0 && k > 0) seen[value[rest]] = n;
            if (digit[k] & 4)
                for (long a = 1; 2 * a <= rest; a++) seen[value[a] ^ value[rest - a]] = n;
            if (digit[k] & 8)
                for (long a = 1; 3 * a <= rest; a++)
                    for (long b = a; a + 2 * b <= rest; b++) seen[value[a] ^ value[b] ^ value[rest - a - b]] = n;
        }
        uint16_t least = 0;
        while (seen[least] == n) least++;
        value[n] = least;
    }
    uint64_t sum = 0;
    for (long n = 0; n <= most; n++) sum = sum * 31 + value[n];
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
