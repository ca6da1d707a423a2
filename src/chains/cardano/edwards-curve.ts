/*
 * The curve of Ed25519 (RFC 8032, section 5.1) in plain integers. Only public keys are computed with it, as the second opinion on a library:
 * its time depends on its input.
 */

const p = 2n ** 255n - 19n;
const d = mod(-121665n * inverse(121666n));
/** A square root of -1. */
const rootOfMinusOne = power(2n, (p - 1n) / 4n);

/** Extended coordinates: x = X/Z, y = Y/Z, x*y = T/Z. */
export type CurvePoint = {
  readonly X: bigint;
  readonly Y: bigint;
  readonly Z: bigint;
  readonly T: bigint;
};

const zero: CurvePoint = { X: 0n, Y: 1n, Z: 1n, T: 0n };

export const basePoint = decodePoint(
  Uint8Array.from([0x58, ...Array.from({ length: 31 }, () => 0x66)]),
);

/** The point of a public key of 32 bytes. Throws `RangeError` for bytes that are no point. */
export function decodePoint(bytes: Uint8Array): CurvePoint {
  const number = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const isOdd = number >> 255n === 1n;
  const y = number & (2n ** 255n - 1n);
  const square = mod((y * y - 1n) * inverse(d * y * y + 1n));
  let x = power(square, (p + 3n) / 8n);
  if (mod(x * x - square) !== 0n) x = mod(x * rootOfMinusOne);
  if (bytes.length !== 32 || y >= p || mod(x * x - square) !== 0n)
    throw new RangeError("not a point of the curve");
  if (((x & 1n) === 1n) !== isOdd) x = mod(-x);
  return { X: x, Y: y, Z: 1n, T: mod(x * y) };
}

export function encodePoint({ X, Y, Z }: CurvePoint): Uint8Array {
  const scale = inverse(Z);
  const y = mod(Y * scale);
  const parity = mod(X * scale) & 1n;
  const number = y | (parity << 255n);
  return Uint8Array.from({ length: 32 }, (_, at) => Number((number >> BigInt(8 * at)) & 255n));
}

export function addPoints(one: CurvePoint, other: CurvePoint): CurvePoint {
  const a = (one.Y - one.X) * (other.Y - other.X);
  const b = (one.Y + one.X) * (other.Y + other.X);
  const c = 2n * d * one.T * other.T;
  const e = 2n * one.Z * other.Z;
  const [sum, rest, over, under] = [mod(b - a), mod(e - c), mod(e + c), mod(b + a)];
  return { X: mod(sum * rest), Y: mod(over * under), Z: mod(rest * over), T: mod(sum * under) };
}

export function multiplyPoint(point: CurvePoint, scalar: bigint): CurvePoint {
  let sum = zero;
  let doubled = point;
  for (let left = scalar; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) sum = addPoints(sum, doubled);
    doubled = addPoints(doubled, doubled);
  }
  return sum;
}

function mod(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base);
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function inverse(value: bigint): bigint {
  return power(value, p - 2n);
}
