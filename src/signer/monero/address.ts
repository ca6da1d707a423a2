import { base58xmr } from "@scure/base";
import { DraftRefused } from "../draft-signer.ts";
import { keccak, Point } from "./curve.ts";

/** The networks with addresses of their own; private chains use those of the main network. */
export type MoneroNetwork = "main" | "test" | "stage";

/** Prefixes of standard and integrated addresses and of subaddresses (monero's src/cryptonote_config.h). */
const prefixes: Readonly<Record<MoneroNetwork, readonly [number, number, number]>> = {
  main: [18, 19, 42],
  test: [53, 54, 63],
  stage: [24, 25, 36],
};

/** A receiver as its address names it. */
export type MoneroAddress = {
  /** The public spend key and the public view key. */
  readonly spend: Point;
  readonly view: Point;
  readonly isSubaddress: boolean;
  /** 8 bytes of an integrated address; null without one. */
  readonly paymentId: Uint8Array | null;
};

const keysLength = 64;
const checksumLength = 4;
const paymentIdLength = 8;

/** Reads an address of the network. Throws `DraftRefused` for anything else; `what` names it. */
export function readAddress(text: string, network: MoneroNetwork, what: string): MoneroAddress {
  const address = decode(text, network);
  if (address === null) throw new DraftRefused(`${what} is no address of this network: ${text}`);
  return address;
}

/** The spelling of an account's own address, or of one of its subaddresses. */
export function addressText(
  { spend, view, isSubaddress }: Omit<MoneroAddress, "paymentId">,
  network: MoneroNetwork,
): string {
  const [standard, , subaddress] = prefixes[network];
  const prefix = isSubaddress ? subaddress : standard;
  const body = Buffer.concat([Uint8Array.of(prefix), spend.toBytes(), view.toBytes()]);
  return base58xmr.encode(Buffer.concat([body, keccak(body).subarray(0, checksumLength)]));
}

function decode(text: string, network: MoneroNetwork): MoneroAddress | null {
  try {
    const bytes = base58xmr.decode(text);
    const body = bytes.subarray(0, -checksumLength);
    if (
      !Buffer.from(keccak(body).subarray(0, checksumLength)).equals(bytes.subarray(-checksumLength))
    )
      return null;
    const [standard, integrated, subaddress] = prefixes[network];
    const [prefix = -1] = body;
    if (![standard, integrated, subaddress].includes(prefix)) return null;
    const idLength = prefix === integrated ? paymentIdLength : 0;
    if (body.length !== 1 + keysLength + idLength) return null;
    return {
      spend: keyPoint(body.subarray(1, 33)),
      view: keyPoint(body.subarray(33, 65)),
      isSubaddress: prefix === subaddress,
      paymentId: idLength === 0 ? null : Uint8Array.from(body.subarray(65)),
    };
  } catch {
    return null;
  }
}

/** Throws for a point of low order or outside the group: no secret key belongs to it. */
function keyPoint(bytes: Uint8Array): Point {
  const point = Point.fromBytes(bytes);
  if (point.isSmallOrder() || !point.isTorsionFree()) throw new RangeError("not a public key");
  return point;
}
