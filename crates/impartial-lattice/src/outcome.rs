//! Outcomes and plays.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who wins a position under perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// The previous player, who has just moved, wins.
    P,
    /// The next player wins.
    N,
}

impl Outcome {
    /// `P` when `condition` holds, else `N`.
    pub fn p_if(condition: bool) -> Self {
        if condition { Self::P } else { Self::N }
    }

    /// Whether this is [`Outcome::P`].
    pub fn is_p(self) -> bool {
        self == Self::P
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::P => "P",
            Self::N => "N",
        })
    }
}

/// The winning condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Play {
    /// Who cannot move loses.
    #[default]
    Normal,
    /// Who cannot move wins.
    Misere,
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normal => "normal",
            Self::Misere => "misere",
        })
    }
}
