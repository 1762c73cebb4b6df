"""Real parameters: W_Q, W_K, W_V out of model files, and what a head makes of a real sentence.

Safetensors, GGUF and ONNX files are read in place and believed in nothing. All matrices come out in the row
convention, whichever way a file stores them.
"""

from __future__ import annotations

from grader.weights.bert import Bert
from grader.weights.byte_pairs import BytePairs
from grader.weights.decoder import Gpt2, Llama
from grader.weights.errors import WeightsError
from grader.weights.extra import installed_model
from grader.weights.lab_data import lab_data, lab_text
from grader.weights.model_file import open_model_file
from grader.weights.parts import HeadActivations
from grader.weights.projections import Heads, LayerProjections, Projection, read_projections, tensor_list
from grader.weights.runner import read_runner, run_to_head
from grader.weights.settings import Settings, read_settings
from grader.weights.tensors import ModelFile, Tensor
from grader.weights.tokenizer import read_tokenizer
from grader.weights.wordpiece import WordPiece

__all__ = [
    "Bert",
    "BytePairs",
    "Gpt2",
    "HeadActivations",
    "Heads",
    "LayerProjections",
    "Llama",
    "ModelFile",
    "Projection",
    "Settings",
    "Tensor",
    "WeightsError",
    "WordPiece",
    "installed_model",
    "lab_data",
    "lab_text",
    "open_model_file",
    "read_projections",
    "read_runner",
    "read_settings",
    "read_tokenizer",
    "run_to_head",
    "tensor_list",
]
