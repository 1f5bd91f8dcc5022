"""What all games share: records, kernels, the environment, the batch."""
