"""What all label formats share: reading label files safely, finding lists of class names and pictures, and `accept`.

A format parses its files into a `raw.RawSet`. `accept` turns that into labelled pictures. It finds each picture, turns
its boxes upright, gives each class name its meaning, and lists everything that it leaves out.
"""
