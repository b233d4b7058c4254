//! The form "series" for parity kernels: f(P;t) as a sum over characters.

use impartial::render;
use impartial::solve::parity_kernel::ParityKernel;
use impartial::strategy::parity_kernel::values;
use impartial::strategy::{CharacterFileError, CharacterStrategy, Envelope};
use serde_json::json;

use super::{Solved, congruence, parity_kernel, points};
use crate::args::{CongruentArgs, ConvertArgs, CountArgs, Syntax};
use crate::context::Context;
use crate::files;
use crate::report::{Answer, Failure, Report, bad_input};

/// An opened strategy file of form "series" with characters.
pub struct CharacterFile {
    envelope: Envelope,
    strategy: CharacterStrategy,
}

impl CharacterFile {
    /// Reads the certificate.
    pub fn open(envelope: Envelope) -> Result<Self, Failure> {
        let strategy =
            CharacterStrategy::from_envelope(&envelope, &semilinear::run::Unlimited).map_err(|error| match error {
                CharacterFileError::Stopped(why) => Failure::Stopped(why),
                error => bad_input(error),
            })?;
        Ok(Self { envelope, strategy })
    }

    fn kernel(&self) -> Result<ParityKernel, Failure> {
        Ok(ParityKernel::from_values(values(&self.envelope).map_err(bad_input)?))
    }
}

/// Writes and reports the sum over the characters of a kernel.
pub fn written(cx: &Context, strategy: &CharacterStrategy, args: &ConvertArgs) -> Answer {
    let envelope = strategy.to_envelope();
    let text = envelope.to_text();
    if let impartial_check::Verdict::Refused { reason } = impartial_check::check(&text, &|| true) {
        return Err(bad_input(format!("{}: {reason}", args.file)));
    }
    if let Some(path) = &args.output {
        files::write(path, text.as_bytes())?;
    }
    let terms = strategy.sum().signs().len();
    let json = json!({
        "game": envelope.game,
        "form": "series",
        "proved": true,
        "terms": terms,
        "characters": true,
        "seconds": cx.seconds(),
    });
    let formula = render::characters(strategy.sum(), render::Syntax::Text);
    Ok(Report::new(json, format!("{formula}\n{terms} terms, one for each character, proved")))
}

impl Solved for CharacterFile {
    points::answered!();

    fn show(&self, _cx: &Context, syntax: Syntax) -> Answer {
        let sum = self.strategy.sum();
        let signs = &self.envelope.certificate["characters"];
        let text = match syntax {
            Syntax::Text => render::characters(sum, render::Syntax::Text),
            Syntax::Latex => render::characters(sum, render::Syntax::Latex),
            Syntax::Sage => render::characters(sum, render::Syntax::Sage),
            Syntax::Mathematica => render::characters(sum, render::Syntax::Mathematica),
            Syntax::Macaulay2 => render::characters(sum, render::Syntax::Macaulay2),
            Syntax::Json => serde_json::to_string_pretty(signs).map_err(bad_input)?,
        };
        let json = json!({
            "game": self.envelope.game,
            "form": "series",
            "terms": sum.signs().len(),
            "characters": signs,
            "text": text,
        });
        Ok(Report::new(json, text))
    }

    fn convert(&self, cx: &Context, args: &ConvertArgs) -> Answer {
        parity_kernel::converted(cx, &self.kernel()?, self.strategy.game(), args)
    }

    fn count(&self, _cx: &Context, args: &CountArgs) -> Answer {
        let sizes = points::box_sizes(&args.sizes, self.strategy.game().dimension())?;
        points::counted(self, args, "parity-kernel", Ok(self.kernel()?.count(&sizes)))
    }

    fn congruent(&self, _cx: &Context, args: &CongruentArgs) -> Answer {
        let (p, q) = congruence::points(self.strategy.game(), args)?;
        Ok(congruence::report(&args.game, &self.strategy.congruence(&p, &q), "series"))
    }
}
