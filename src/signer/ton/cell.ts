import { sha256 } from "@noble/hashes/sha2.js";
import { DraftRefused } from "../draft-signer.ts";

/**
 * An ordinary cell of TON: up to 1,023 bits and up to four other cells. `bytes` holds the bits from the highest of the first byte on; the
 * rest of the last byte is 0.
 */
export type Cell = {
  readonly bytes: Uint8Array;
  readonly bitLength: number;
  readonly refs: readonly Cell[];
  /** Of its representation, which identifies it: SHA-256 over its bits and the depths and hashes of its cells. */
  readonly hash: Uint8Array;
  /** The longest way down to a cell without others. */
  readonly depth: number;
};

const bitsMax = 1023;
const refsMax = 4;
/** As many as one byte numbers. */
const cellsMax = 255;

/** Creates a cell. Throws `DraftRefused` for too many bits or cells. */
export function createCell(bytes: Uint8Array, bitLength: number, refs: readonly Cell[]): Cell {
  if (bitLength > bitsMax || refs.length > refsMax) throw new DraftRefused("a cell is too large");
  const depth = refs.reduce((deepest, ref) => Math.max(deepest, ref.depth + 1), 0);
  const representation = [
    ...headOf(bytes, bitLength, refs),
    ...refs.flatMap((ref) => [ref.depth >> 8, ref.depth & 0xff]),
    ...refs.flatMap((ref) => [...ref.hash]),
  ];
  return { bytes, bitLength, refs, depth, hash: sha256(Uint8Array.from(representation)) };
}

/** Two bytes that describe the cell, and its bits, ended by a 1 if they do not fill a byte. */
function headOf(bytes: Uint8Array, bitLength: number, refs: readonly unknown[]): readonly number[] {
  const whole = Math.floor(bitLength / 8);
  const data = [...bytes.subarray(0, Math.ceil(bitLength / 8))];
  const rest = bitLength % 8;
  if (rest > 0) data[whole] = (data[whole] ?? 0) | (0x80 >> rest);
  return [refs.length, whole + data.length, ...data];
}

/** `serialized_boc`, with one byte for each number of a cell, one root, and neither index nor checksum. */
const magic = [0xb5, 0xee, 0x9c, 0x72, 0x01];

/**
 * Reads a bag of cells with one root, in the form that `writeBoc` and the adapter write. Throws `DraftRefused` for every other form, for
 * exotic cells, for cells that nothing refers to, and for bytes that are left over.
 */
export function readBoc(bytes: Uint8Array): Cell {
  const [offsetLength = 0, count = 0, roots, absent] = bytes.subarray(magic.length, 9);
  const start = 9 + offsetLength + 1;
  if (
    magic.some((byte, at) => bytes[at] !== byte) ||
    offsetLength < 1 ||
    offsetLength > 2 ||
    count < 1 ||
    count > cellsMax ||
    roots !== 1 ||
    absent !== 0 ||
    bytes[start - 1] !== 0
  )
    throw new DraftRefused("is no bag of cells in the one form that is read");
  const length = bytes
    .subarray(9, 9 + offsetLength)
    .reduce((number, byte) => number * 256 + byte, 0);
  if (bytes.length !== start + length) throw new DraftRefused("has another length than it says");
  return linkCells(readParts(bytes.subarray(start), count));
}

type Part = Pick<Cell, "bytes" | "bitLength"> & { readonly children: readonly number[] };

function readParts(bytes: Uint8Array, count: number): readonly Part[] {
  let at = 0;
  const take = (length: number): Uint8Array => {
    const part = bytes.subarray(at, at + length);
    if (part.length !== length) throw new DraftRefused("ends inside a cell");
    at += length;
    return part;
  };
  const parts = Array.from({ length: count }, (): Part => {
    const [refs = 0, size = 0] = take(2);
    if (refs > refsMax) throw new DraftRefused("has a cell that is not an ordinary one");
    const content = take(Math.ceil(size / 2));
    return { ...unpad(content, size % 2 === 1), children: [...take(refs)] };
  });
  if (at !== bytes.length) throw new DraftRefused("goes on after its last cell");
  return parts;
}

/** The bits of a cell; if they end inside a byte, a 1 ends them. */
function unpad(content: Uint8Array, isPadded: boolean): Pick<Cell, "bytes" | "bitLength"> {
  const bytes = Uint8Array.from(content);
  if (!isPadded) return { bytes, bitLength: bytes.length * 8 };
  const last = bytes.at(-1) ?? 0;
  const rest = 7 - Math.log2(last & -last);
  if (last === 0 || rest === 0) throw new DraftRefused("has a cell whose bits do not end");
  bytes[bytes.length - 1] = last & (last - 1);
  return { bytes, bitLength: (bytes.length - 1) * 8 + rest };
}

/** Cells come before those that they refer to, so that none contains itself. */
function linkCells(parts: readonly Part[]): Cell {
  const cells = new Map<number, Cell>();
  const used = new Set([0]);
  for (const [number, { bytes, bitLength, children }] of [...parts.entries()].reverse()) {
    const refs = children.map((child) => {
      const cell = child > number ? cells.get(child) : undefined;
      if (cell === undefined) throw new DraftRefused("has a cell that refers to no later one");
      used.add(child);
      return cell;
    });
    cells.set(number, createCell(bytes, bitLength, refs));
  }
  const root = cells.get(0);
  if (root === undefined || used.size !== parts.length)
    throw new DraftRefused("has a cell that nothing refers to");
  return root;
}

/** Writes the bag of cells with that root. */
export function writeBoc(root: Cell): Uint8Array {
  const cells = inOrder(root);
  const numbers = new Map(cells.map((cell, number) => [cell, number]));
  const body = cells.flatMap((cell) => [
    ...headOf(cell.bytes, cell.bitLength, cell.refs),
    ...cell.refs.map((ref) => numbers.get(ref) ?? 0),
  ]);
  const size = [body.length >> 8, body.length & 0xff];
  return Uint8Array.from([...magic, size.length, cells.length, 1, 0, ...size, 0, ...body]);
}

/** Every cell once, before all that it refers to. */
function inOrder(root: Cell): readonly Cell[] {
  const done = new Set<Cell>();
  const found: Cell[] = [];
  const visit = (cell: Cell): void => {
    if (done.has(cell)) return;
    done.add(cell);
    for (const ref of cell.refs) visit(ref);
    found.unshift(cell);
  };
  visit(root);
  return found;
}
