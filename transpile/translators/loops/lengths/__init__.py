"""How far loops reach into arrays: by their text, or by looking at the data before they run."""
