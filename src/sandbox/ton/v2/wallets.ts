import type { Cell, Slice } from "@ton/core";

/** What toncenter says about the data of a wallet whose code it knows. */
type Wallet = {
  readonly information: object;
  /** Null where the first tonlib knows no type of its own. */
  readonly accountState: object | null;
  readonly revision: number;
};

type Kind = {
  readonly type: string;
  readonly revision: number;
  readonly read: (data: Slice) => {
    readonly isSignatureAllowed?: boolean;
    readonly seqno: number;
    readonly walletId: number;
  };
  readonly state: string | null;
};

const plain: Kind["read"] = (data) => ({ seqno: data.loadUint(32), walletId: data.loadInt(32) });

/** By the hash of the code in hexadecimal. */
const kinds: Readonly<Record<string, Kind>> = {
  "84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599": {
    type: "wallet v3 r2",
    revision: 2,
    read: plain,
    state: "wallet.v3.accountState",
  },
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: {
    type: "wallet v4 r2",
    revision: 2,
    read: plain,
    state: "wallet.v4.accountState",
  },
  "20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f": {
    type: "wallet v5 r1",
    revision: 0,
    read: (data) => ({ isSignatureAllowed: data.loadBit(), ...plain(data) }),
    state: null,
  },
};

export function walletIn(code: Cell, data: Cell): Wallet | null {
  const kind = kinds[code.hash().toString("hex")];
  if (kind === undefined) return null;
  const { isSignatureAllowed, seqno, walletId } = kind.read(data.beginParse());
  return {
    information: {
      wallet_type: kind.type,
      seqno,
      wallet_id: walletId,
      ...(isSignatureAllowed === undefined ? {} : { is_signature_allowed: isSignatureAllowed }),
    },
    accountState:
      kind.state === null ? null : { "@type": kind.state, wallet_id: String(walletId), seqno },
    revision: kind.revision,
  };
}
