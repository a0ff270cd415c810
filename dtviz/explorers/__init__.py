"""The kit of the explorers: one front end for two hosts, drawing, and data to look at."""
