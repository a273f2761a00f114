#!/bin/sh
# Train networks like the shipped ones: make train. Each recipe needs the networks of the recipes before it.
# A second run resumes from the checkpoints in runs/.
set -e
bin=.venv/bin

$bin/tilescore dataset synth runs/scenes --count 3500 --seed 1
$bin/tilescore dataset synth runs/rare --count 1700 --seed 2 --only rare
$bin/tilescore dataset synth runs/game --count 2500 --seed 3 --size 1280 --only game
$bin/python -m tilescore.datasets.synthesis.clutter runs/clutter --count 700
$bin/tilescore train models/recipes/detector.toml
$bin/tilescore train models/recipes/backs_head.toml
$bin/tilescore train models/recipes/poor_photos_detector.toml
$bin/tilescore train models/recipes/box_refiner.toml
$bin/tilescore train models/recipes/backs_box_refiner.toml
$bin/tilescore train models/recipes/classifier.toml
$bin/tilescore train models/recipes/corners.toml
$bin/tilescore train models/recipes/high_resolution_classifier.toml
$bin/python -m tilescore.models.registry
$bin/python -m tilescore.datasets.synthesis.clutter runs/fitting-clutter --count 100 --seed 77
$bin/python -m tilescore.datasets.synthesis.clutter runs/fitting-among --count 113 --seed 9 --around runs/classifier-data/images/val
$bin/python -m tilescore.datasets.synthesis.synth runs/fitting-scenes --count 160 --seed 8800 --size 1280 --workers 2
$bin/python -m tilescore.datasets.synthesis.clutter runs/fitting-among-scenes --count 160 --seed 10 --around runs/fitting-scenes/images
$bin/python -m tilescore.models.evaluation.calibrate ../shared/data/photos/data.yaml runs/fitting-clutter/data.yaml:test \
    runs/fitting-among/data.yaml:test runs/fitting-scenes/data.yaml:test runs/fitting-among-scenes/data.yaml:test
$bin/python -m tilescore.models.evaluation.card
