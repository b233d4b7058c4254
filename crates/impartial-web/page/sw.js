// Keeps the page of this version, so that it works offline once it is loaded. The build writes the version and the list of files.
const NAME = `impartial-${"VERSION"}`;
const FILES = ["FILES"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(["./", ...FILES])).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("impartial-") && name !== NAME);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => clients.claim()));
});

// The network first, so that a new version shows at once; what was kept when there is no network. Certificates are kept when they are
// first read: not everybody wants all of them.
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const kept = () => caches.open(NAME).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(fetch(event.request).then((answer) => {
    if (answer.ok && event.request.url.includes("/certificates/")) {
      const copy = answer.clone();
      event.waitUntil(caches.open(NAME).then((cache) => cache.put(event.request, copy)));
    }
    return answer;
  }).catch(async () => (await kept()) ?? Response.error()));
});
