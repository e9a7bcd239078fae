"""The net and its training in PyTorch: the readable definition. Needs the extra `train`.

The compiled trainer (ext/trainer.pxi) does the same many times faster; tests hold the two together.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from cythera.core import NET_BUCKETS, NET_INPUTS
from cythera.net.file import SCALE, WEIGHT_CLIP
from cythera.net.reference import NO_ROW, rows_of_records
from cythera.training.positions import RECORD, Records

Flat = np.ndarray[tuple[int], np.dtype[np.float32]]  # all parameters in the order of a net file


class Perspectives(nn.Module):
    """(768 → hidden) × 2 → 1, squared clipped activation, an output for each of 8 counts of pieces.

    With king buckets each has a table of its own, to which one that all of them share is added (the factoriser).
    """

    def __init__(self, hidden: int, king_buckets: int = 1) -> None:
        super().__init__()
        self.hidden = hidden
        self.king_buckets = king_buckets
        if king_buckets > 1:
            self.shared = nn.Parameter(torch.zeros(NET_INPUTS, hidden))
        self.features = nn.Parameter(torch.zeros(king_buckets * NET_INPUTS, hidden))
        self.biases = nn.Parameter(torch.zeros(hidden))
        self.outputs = nn.Parameter(torch.zeros(NET_BUCKETS, 2 * hidden))
        self.output_biases = nn.Parameter(torch.zeros(NET_BUCKETS))

    def forward(self, own: Tensor, other: Tensor, bucket: Tensor) -> Tensor:
        """Outputs for the side to move; 1.0 is as many centipawns as the net's scale."""
        table = torch.cat([self.merged(), torch.zeros(1, self.hidden)])
        nothing = len(table) - 1
        seen = [
            nn.functional.embedding_bag(
                torch.where(rows == NO_ROW, nothing, rows), table, mode="sum", padding_idx=nothing
            )
            + self.biases
            for rows in (own, other)
        ]
        active = torch.cat(seen, dim=1).clamp(0, 1) ** 2
        return (active * self.outputs[bucket]).sum(1) + self.output_biases[bucket]

    def merged(self) -> Tensor:
        """The feature weights as they are used."""
        return self.features + self.shared.repeat(self.king_buckets, 1) if self.king_buckets > 1 else self.features

    def load_flat(self, values: Flat) -> None:
        """Takes parameters in the order of a net file."""
        at = 0
        with torch.no_grad():
            for parameter in self.parameters():
                size = parameter.numel()
                parameter.copy_(torch.from_numpy(values[at : at + size].copy()).view_as(parameter))
                at += size

    def flat(self) -> Flat:
        values: Flat = torch.cat([parameter.detach().reshape(-1) for parameter in self.parameters()]).numpy()
        return values

    def flat_gradient(self) -> Flat:
        found = [parameter.grad for parameter in self.parameters()]
        values: Flat = torch.cat([gradient.reshape(-1) for gradient in found if gradient is not None]).numpy()
        return values


def batch_of(
    records: Records, blend: float, scale: int = SCALE, kings: tuple[int, ...] = ()
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Rows of both perspectives, buckets, and the chances that the net should learn."""
    own, other, bucket = rows_of_records(records, kings)
    fields = records.view(RECORD).reshape(-1)
    score = torch.from_numpy(fields["score"].astype(np.float32))
    result = torch.from_numpy(fields["result"].astype(np.float32)) / 2
    target = blend * result + (1 - blend) * torch.sigmoid(score / scale)
    return torch.from_numpy(own), torch.from_numpy(other), torch.from_numpy(bucket), target


def loss_of(net: Perspectives, batch: tuple[Tensor, Tensor, Tensor, Tensor]) -> Tensor:
    own, other, bucket, target = batch
    return ((torch.sigmoid(net(own, other, bucket)) - target) ** 2).mean()


def optimiser(net: Perspectives, rate: float, decay: float) -> torch.optim.Optimizer:
    return torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=decay)


def step(net: Perspectives, adam: torch.optim.Optimizer, batch: tuple[Tensor, Tensor, Tensor, Tensor]) -> float:
    """One step of training; returns the loss before it."""
    adam.zero_grad()
    loss = loss_of(net, batch)
    loss.backward()  # type: ignore[no-untyped-call]
    adam.step()
    with torch.no_grad():
        for weights in (net.features, net.biases, net.outputs):
            weights.clamp_(-WEIGHT_CLIP, WEIGHT_CLIP)
        if net.king_buckets > 1:  # what is used stays within the limit, and the buckets' own weights give way
            net.shared.clamp_(-WEIGHT_CLIP, WEIGHT_CLIP)
            net.features.add_(net.merged().clamp(-WEIGHT_CLIP, WEIGHT_CLIP) - net.merged())
    return float(loss.detach())
