"""Examples as they come: arrays, data frames, text and labels."""
