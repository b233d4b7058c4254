//! Forms "blocks" and "grundy-blocks".

use crate::game::words::counted;
use num_bigint::{BigInt, BigUint};
use serde_json::{Value, json};

use super::super::{Answers, Form, Shown, no_text, object, unsupported};
use super::{found, off_board, positions};
use crate::error::{Error, Result};
use crate::game::kind::Moves;
use crate::game::lattice::answer::sized;
use crate::game::position::{Position, on_board, point_of, read_point};
use crate::game::report::Picture;
use crate::game::{Ask, PlotAsk, plot};
use crate::outcome::{Outcome, Play};
use crate::render::Syntax;
use crate::solve::blocks::Target;
use crate::strategy::{BlocksStrategy, Envelope, Standing};

impl Answers for BlocksStrategy {
    at_points!();

    fn form(&self) -> Form {
        match self.target() {
            Target::Outcomes => Form::Blocks,
            Target::Values => Form::GrundyBlocks,
        }
    }

    fn grundy(&self, position: &Position, _ask: &Ask) -> Result<BigUint> {
        if self.target() == Target::Outcomes {
            return Err(unsupported(self.form(), "grundy"));
        }
        let value = self.grundy(on_board(self.game(), position)?).ok_or_else(|| off_board(position))?;
        Ok(value.into())
    }

    fn summary(&self, name: Option<&str>, standing: Standing) -> Shown {
        let blocks = self.blocks();
        let mut size =
            object(json!({"states": blocks.states(), "blocks": blocks.contents().len(), "side": blocks.side()}));
        if self.target() == Target::Values {
            size.insert("max_value".into(), json!(blocks.largest()));
        }
        let text = found(name.unwrap_or("strategy"), self.form(), &size, standing);
        (size, text)
    }

    fn show(&self, syntax: Option<Syntax>, _standing: Standing, _ask: &Ask) -> Result<Shown> {
        let (game, blocks) = (self.game(), self.blocks());
        let certificate = self.to_envelope().certificate;
        let text = match syntax {
            None => serde_json::to_string_pretty(&certificate).map_err(Error::input)?,
            Some(Syntax::Text) => format!(
                "{} of {}\n\
                 {} of side {}, placed by an automaton of {} that reads the binary digits of all coordinates of a \
                 block at once, highest first",
                if self.target() == Target::Values { "Grundy values" } else { "P-positions" },
                super::game_in_words(game),
                counted(blocks.contents().len(), "block", "blocks"),
                blocks.side(),
                counted(blocks.states(), "state", "states"),
            ),
            Some(other) => return Err(no_text("a strategy by blocks", other, "it has text and json")),
        };
        let content = object(json!({
            "states": blocks.states(),
            "blocks": blocks.contents().len(),
            "side": blocks.side(),
            "certificate": certificate,
        }));
        Ok((content, text))
    }

    fn count(&self, sizes: &[BigUint], ask: &Ask) -> Result<(BigUint, String)> {
        Ok((self.count(&sized(sizes, self.game().dimension())?, ask.monitor)?, self.form().to_string()))
    }

    fn plot(&self, written: &str, ask_plot: &PlotAsk, ask: &Ask) -> Result<Picture> {
        plot::lattice::game(written, plot::lattice::stem(written), self.game(), ask_plot, ask)
    }
}
