import { Asset } from "@stellar/stellar-sdk/base";
import {
  BeginSponsoringFutureReservesOp,
  BumpSequenceOp,
  ChangeTrustOp,
  CreateAccountOp,
  Memo,
  MuxedAccount,
  Operation,
  OperationBody,
  PaymentOp,
  Preconditions,
  TimeBounds,
  Transaction,
  TransactionExt,
} from "@stellar/stellar-sdk/xdr";
import { assert } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { native } from "./asset.ts";
import { publicKeyOf, tokenNamed } from "./entries.ts";

/** What an operation of the hot account does. Units of coin are stroops. */
export type StellarCall =
  | {
      readonly type: "payment";
      readonly to: string;
      /** See `assetName`. */
      readonly asset: string;
      readonly units: bigint;
    }
  | { readonly type: "createAccount"; readonly to: string; readonly units: bigint }
  /** Lets the account hold as much of a token as there can be. */
  | { readonly type: "changeTrust"; readonly asset: string }
  /** Uses all sequences up to this one; null: it changes nothing, but the transaction uses its own. */
  | { readonly type: "useSequence"; readonly through: bigint | null }
  /** Creates an account without coin, whose reserve the transaction's source keeps. */
  | { readonly type: "createChannel"; readonly to: Channel };

/** An account of ours that only lends its sequence. */
export type Channel = {
  readonly address: string;
  /** By which the signer finds its key. */
  readonly number: number;
};

export type StellarTransaction = {
  /** Who makes the payments, and offers the fee. */
  readonly from: string;
  /** Whose sequence it uses instead of the account's own: it is then put into a fee-bump transaction of the account. Null: its own. */
  readonly channel: Channel | null;
  /** In the order of their execution; if one fails, none has an effect. */
  readonly calls: readonly StellarCall[];
  /** Decimal text; null for no memo. */
  readonly memo: string | null;
  /** Stroops at most, with what the fee-bump transaction takes; see `feeOf`. */
  readonly fee: bigint;
  readonly sequence: bigint;
  /** Seconds since 1970: no ledger that closes later contains it. */
  readonly maxTime: bigint;
};

/** How many operations the calls are. */
export function operationsIn(calls: readonly Pick<StellarCall, "type">[]): number {
  return calls.reduce((count, { type }) => count + (type === "createChannel" ? 3 : 1), 0);
}

/**
 * The fee of a transaction that may offer so much. A fee-bump transaction counts as one operation more, and offers for it as much as for the
 * others: the fee inside is the largest for which both stay within the offer.
 */
export function feeOf(
  offer: bigint,
  calls: readonly StellarCall[],
  usesChannel: boolean,
): { readonly inside: bigint; readonly whole: bigint } {
  if (!usesChannel) return { inside: offer, whole: offer };
  const count = BigInt(operationsIn(calls));
  const inside = (offer * count) / (count + 1n);
  return { inside, whole: inside + (inside + count - 1n) / count };
}

/**
 * The draft's body. Every other member restates what is in `transaction`, the bytes to be signed; integers are decimal text. Only `channels`,
 * the numbers of the channels in it, is not in the bytes.
 */
export function writeBody(stated: StellarTransaction): JsonObject {
  const { from, channel, calls, memo, sequence, maxTime } = stated;
  const fee = feeOf(stated.fee, calls, channel !== null);
  const transaction = new Transaction({
    sourceAccount: accountNamed(channel?.address ?? from),
    fee: uint32Of(fee.inside),
    seqNum: sequence,
    cond: Preconditions.precondTime(new TimeBounds({ minTime: 0n, maxTime })),
    memo: memoOf(memo),
    operations: calls.flatMap((call) => operationsOf(call, channel === null ? null : from)),
    ext: TransactionExt.v0(),
  });
  const numbers = [
    ...calls.flatMap((call) => (call.type === "createChannel" ? [call.to.number] : [])),
    ...(channel === null ? [] : [channel.number]),
  ];
  return {
    from: channel?.address ?? from,
    ...(channel === null ? {} : { payer: from }),
    operations: calls.map(describe),
    memo,
    fee: fee.whole.toString(),
    sequence: sequence.toString(),
    maxTime: maxTime.toString(),
    transaction: transaction.toXdr("hex"),
    ...(numbers.length === 0 ? {} : { channels: numbers }),
  };
}

function describe(call: StellarCall): JsonObject {
  switch (call.type) {
    case "payment":
    case "createAccount":
      return { ...call, units: call.units.toString() };
    case "changeTrust":
      return call;
    case "useSequence":
      return { ...call, through: call.through?.toString() ?? null };
    case "createChannel":
      return { type: call.type, to: call.to.address };
  }
}

/** The field of a transaction's fee has 32 bits. */
function uint32Of(value: bigint): number {
  assert(value >= 0n && value < 2n ** 32n, "a fee of 32 bits");
  return Number(value);
}

/** `payer`: who makes the payments, where that is not the transaction's source. The sequence belongs to the source. */
function operationsOf(call: StellarCall, payer: string | null): readonly Operation[] {
  if (call.type === "createChannel") return channelOperations(call.to);
  const isPayers = payer !== null && call.type !== "useSequence";
  return [
    new Operation({
      sourceAccount: isPayers ? accountNamed(payer) : null,
      body: operationOf(call),
    }),
  ];
}

/** The account agrees that another keeps its reserve, by ending what that one began. */
function channelOperations({ address }: Channel): readonly Operation[] {
  const [sponsoredId, destination] = [publicKeyOf(address), publicKeyOf(address)];
  return [
    new Operation({
      sourceAccount: null,
      body: OperationBody.beginSponsoringFutureReserves(
        new BeginSponsoringFutureReservesOp({ sponsoredId }),
      ),
    }),
    new Operation({
      sourceAccount: null,
      body: OperationBody.createAccount(new CreateAccountOp({ destination, startingBalance: 0n })),
    }),
    new Operation({
      sourceAccount: accountNamed(address),
      body: OperationBody.endSponsoringFutureReserves(),
    }),
  ];
}

function operationOf(
  call: Exclude<StellarCall, { readonly type: "createChannel" }>,
): OperationBody {
  switch (call.type) {
    case "payment":
      return OperationBody.payment(
        new PaymentOp({
          destination: accountNamed(call.to),
          asset: (call.asset === native ? Asset.native() : tokenNamed(call.asset)).toXdrObject(),
          amount: call.units,
        }),
      );
    case "createAccount":
      return OperationBody.createAccount(
        new CreateAccountOp({ destination: publicKeyOf(call.to), startingBalance: call.units }),
      );
    case "changeTrust":
      return OperationBody.changeTrust(
        new ChangeTrustOp({
          line: tokenNamed(call.asset).toChangeTrustXdrObject(),
          limit: 2n ** 63n - 1n,
        }),
      );
    case "useSequence":
      return OperationBody.bumpSequence(new BumpSequenceOp({ bumpTo: call.through ?? 0n }));
  }
}

function accountNamed(address: string): MuxedAccount {
  return MuxedAccount.keyTypeEd25519(publicKeyOf(address).ed25519);
}

function memoOf(memo: string | null): Memo {
  return memo === null ? Memo.memoNone() : Memo.memoId(BigInt(memo));
}
