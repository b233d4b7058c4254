//! Values as text, LaTeX, SVG and other systems' syntax.
