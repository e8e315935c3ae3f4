"""What a game master decides against the clock or the course: logged, published with its reason, told to everybody.

`base` is what all of them share; `moderate` has the clock, `rewinding` goes back, `twokeys` asks for the second key.
"""
