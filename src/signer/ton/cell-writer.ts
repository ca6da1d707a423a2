import { type Cell, createCell } from "./cell.ts";

/** Collects the bits and cells of a new cell. */
export type CellWriter = {
  readonly uint: (bits: number, value: bigint) => CellWriter;
  readonly bytes: (bytes: Uint8Array) => CellWriter;
  readonly ref: (cell: Cell) => CellWriter;
  readonly cell: () => Cell;
};

export function writeCell(): CellWriter {
  const bits: number[] = [];
  const refs: Cell[] = [];
  const writer: CellWriter = {
    uint: (count, value) => {
      for (let bit = count - 1; bit >= 0; bit -= 1) bits.push(Number((value >> BigInt(bit)) & 1n));
      return writer;
    },
    bytes: (bytes) => {
      for (const byte of bytes) writer.uint(8, BigInt(byte));
      return writer;
    },
    ref: (cell) => {
      refs.push(cell);
      return writer;
    },
    cell: () => {
      const packed = new Uint8Array(Math.ceil(bits.length / 8));
      for (const [at, bit] of bits.entries())
        packed[at >> 3] = (packed[at >> 3] ?? 0) | (bit << (7 - (at & 7)));
      return createCell(packed, bits.length, refs);
    },
  };
  return writer;
}
