/*
 * Answers of `eth_feeHistory`, each as its network's nodes give it. Recorded on the real networks: Ethereum (block 25,834,608
 * and 19 more, 2026), BNB Smart Chain (61,808,369 and 4 more), Polygon (the newest 12 of the 61 blocks from 43,352,639 on;
 * percentiles 25, 50, 75), Arbitrum (430,145,516 and 3 more; asked for two percentiles, the third one is added), Base
 * (51,690,462, asked for no percentiles). Written manually in their networks' form: Base with tips, OP Mainnet, Avalanche.
 */

const repeated = (row: readonly string[], times: number): readonly (readonly string[])[] =>
  Array.from({ length: times }, () => row);

export const feeHistories = {
  ethereum: {
    oldestBlock: "0x18a3470",
    reward: [
      ["0x5f5e100", "0x5f5e100", "0x10bc120f"],
      ["0x30972", "0x8f0d180", "0x77359400"],
      ["0x23cea", "0x1e8a25a4", "0x77359400"],
      ["0x989680", "0x5f5e100", "0x77359400"],
      ["0x2faf080", "0x5f5e100", "0x2950b79d"],
      ["0x0", "0x12687a43", "0x77359400"],
      ["0x989681", "0x5f5e100", "0x4211e887"],
      ["0x2fbe2", "0x5f5e100", "0x2fe8aed0"],
      ["0xcabbd", "0x458c7a71", "0x1c0ecbd1b"],
      ["0x216b7", "0xbebc200", "0x77359400"],
      ["0xb71b00", "0xf2ffc6e", "0x77359400"],
      ["0x186a0", "0x5f5e100", "0x3b9aca00"],
      ["0x479d4", "0x5f5e100", "0x1a6804db"],
      ["0xf4240", "0x1cd89d3f", "0x77359400"],
      ["0x23cea", "0xa6e49c0", "0x77359400"],
      ["0xaae60", "0x23c34600", "0x77359400"],
      ["0x0", "0xf9fa95e", "0x77359400"],
      ["0x479d4", "0xb45e90b", "0x77359400"],
      ["0x23cea", "0x40ffae5", "0x4e8bab84"],
      ["0x2d4bb", "0x113b05ff", "0x77359400"],
    ],
    baseFeePerGas: [
      ...["0x26e774d7", "0x2bc401cb", "0x29e2dd4e", "0x27b321f5", "0x2a797cd3", "0x2e96ed8f"],
      ...["0x2c8110dc", "0x2e5a98b8", "0x2f056186", "0x2acb6e7e", "0x2ac40e9c", "0x2956deff"],
      ...["0x29b6ec76", "0x2d94ce6d", "0x2b42f37f", "0x289d9005", "0x2628f1ab", "0x24701130"],
      ...["0x23a82b7c", "0x213b43f6", "0x20331edb"],
    ],
    gasUsedRatio: [
      ...[0.9998468, 0.32822483333333335, 0.29120063333333335, 0.7795811, 0.8875262166666666],
      ...[0.3209557, 0.66625225, 0.5575681166666666, 0.14047018333333333, 0.4973074333333333],
      ...[0.36657505, 0.5363049333333333, 0.8707799456429185, 0.29642983160834, 0.2553439],
      ...[0.25816695, 0.31947818333333333, 0.41428136666666665, 0.22791725, 0.37580265],
    ],
  },
  bsc: {
    oldestBlock: "0x3af1ef1",
    reward: [
      ["0x5f5e100", "0x68e7780", "0x7735940"],
      ["0x68e7780", "0x68e7780", "0x69f4060"],
      ["0x5f5e100", "0x68e7780", "0x7270e01"],
      ["0x5f5e100", "0x68e7780", "0x7735940"],
      ["0x5f5e100", "0x68e7780", "0x69f4060"],
    ],
    baseFeePerGas: ["0x0", "0x0", "0x0", "0x0", "0x0", "0x0"],
    gasUsedRatio: [0.27619985333333336, 0.21652034666666667, 0.32256104, 0.28686824, 0.2847872],
    baseFeePerBlobGas: ["0x1", "0x1", "0x1", "0x1", "0x1", "0x1"],
    blobGasUsedRatio: [0, 0, 0, 0.16666666666666666, 0],
  },
  polygon: {
    oldestBlock: "0x2958270",
    reward: [
      ["0x6fc23ac00", "0xaf12524d0", "0xaf12524d0"],
      ["0x6fc23ac00", "0xa6901d240", "0xae819634d"],
      ["0x7e979dc2b", "0xba43b7400", "0xba43b7400"],
      ["0x6fc23ac00", "0x7b589339b", "0x7b589339b"],
      ["0x6fc23ac00", "0x7b377d414", "0xaf2c0b784"],
      ["0x1de13e93", "0x1de13e93", "0x6fc23ac00"],
      ["0x6fc23ac00", "0x9dfa2c054", "0xaa6c9440f"],
      ["0x4bf32696", "0x4bf32696", "0x4bf32696"],
      ["0x6fc23ac00", "0x9e0a88628", "0xbd0472660"],
      ["0x7c9a91698", "0xcbc54541d", "0xdeec33f02"],
      ["0xcbfee047", "0xcbfee047", "0xcbfee047"],
      ["0x6fc23ac00", "0xa20aeb00e", "0xa48d58376"],
    ],
    baseFeePerGas: [
      ...["0x1bd27421c8", "0x1bdb7fe34b", "0x1b1fdf14e2", "0x1b8c44a80f", "0x1bd0d88f14"],
      ...["0x1ae442496d", "0x1c1cd00289", "0x1ba49b896a", "0x1ce2f0c070", "0x1c2f2df8d5"],
      ...["0x1b248fcfb9", "0x1c7ac3c322", "0x1bf29b7857"],
    ],
    gasUsedRatio: [
      ...[0.5101604383347005, 0.28952179918679927, 0.6248833920607645, 0.5777936879810219],
      ...[0.23420348137150607, 0.8632095873964145, 0.3663797645902077, 0.8598705938460351],
      ...[0.30553096341508895, 0.2043812291030832, 0.8939841577901434, 0.3505973979317672],
    ],
  },
  arbitrum: {
    oldestBlock: "0x19a37fec",
    reward: repeated(["0x0", "0x0", "0x0"], 4),
    baseFeePerGas: ["0x1312d00", "0x1321f30", "0x132b3a0", "0x1334810", "0x1334810"],
    gasUsedRatio: [1, 1, 1, 0.2711605714285714],
  },
  baseWithoutTips: {
    baseFeePerBlobGas: ["0x1", "0x3"],
    baseFeePerGas: ["0x4db92f", "0x4dc1ef"],
    blobGasUsedRatio: [0],
    gasUsedRatio: [0.2087990975],
    oldestBlock: "0x314bbde",
    reward: [[]],
  },
  base: {
    oldestBlock: "0x314bbd0",
    reward: [
      ["0xf4240", "0xf4240", "0x1e8480"],
      ["0x186a0", "0x10c8e0", "0x5f5e100"],
      ["0xf4240", "0x124f80", "0x2faf080"],
    ],
    baseFeePerGas: ["0x4db000", "0x4db4d1", "0x4db92f", "0x4dc1ef"],
    gasUsedRatio: [0.2087990975, 0.19, 0.24],
  },
  optimism: {
    oldestBlock: "0x8583b00",
    reward: [
      ["0x1", "0xf4240", "0x16e360"],
      ["0x0", "0x186a0", "0xf4240"],
      ["0x64", "0xf4240", "0x4c4b40"],
    ],
    baseFeePerGas: ["0x2bc", "0x2b4", "0x2ab", "0x2a4"],
    gasUsedRatio: [0.0412, 0.0367, 0.0518],
  },
  avalanche: {
    oldestBlock: "0x44b8a37",
    reward: [
      ["0x1", "0x3b9aca00", "0x59682f00"],
      ["0x0", "0x0", "0x0"],
      ["0x0", "0x5f5e100", "0x77359400"],
      ["0x1", "0x1", "0x3b9aca00"],
    ],
    baseFeePerGas: ["0x3b9aca07", "0x3b9b1d32", "0x3b9aca05", "0x3b9aca00", "0x3b9aca00"],
    gasUsedRatio: [0.21, 0, 0.34, 0.15],
  },
} as const;
