import { encode } from "ripple-binary-codec";

/** What a transaction of ours does; addresses are classic. */
export type XrplCall =
  /** Sends XRP, in drops, to an account under a destination tag, or without one. */
  | {
      readonly type: "payment";
      readonly from: string;
      readonly to: string;
      readonly tag: string | null;
      readonly units: bigint;
    }
  /** Makes the account require destination tags. It does nothing where that is already so, and uses its sequence. */
  | { readonly type: "requireTag"; readonly from: string };

export type XrplTransaction = {
  readonly call: XrplCall;
  readonly sequence: bigint;
  readonly feeUnits: bigint;
  /** No later ledger contains it. */
  readonly lastLedger: number;
  /** Of networks above 1024, whose transactions name them; otherwise null. */
  readonly networkId: number | null;
};

/** `asfRequireDest` */
const requireDestinationTag = 1;

/** The bytes of the transaction without the signer's key and signature, which the signer adds. */
export function buildUnsigned(transaction: XrplTransaction): Uint8Array {
  const { call, feeUnits, lastLedger, networkId, sequence } = transaction;
  const members = {
    Account: call.from,
    Fee: String(feeUnits),
    Sequence: Number(sequence),
    LastLedgerSequence: lastLedger,
    ...(networkId === null ? {} : { NetworkID: networkId }),
    ...membersOf(call),
  };
  return Uint8Array.from(Buffer.from(encode(members), "hex"));
}

function membersOf(call: XrplCall): object {
  if (call.type === "requireTag")
    return { TransactionType: "AccountSet", SetFlag: requireDestinationTag };
  return {
    TransactionType: "Payment",
    Amount: String(call.units),
    Destination: call.to,
    ...(call.tag === null ? {} : { DestinationTag: Number(call.tag) }),
  };
}
