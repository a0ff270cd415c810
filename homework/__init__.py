"""Homework: assignments written once, released without their answers, graded by machine."""
