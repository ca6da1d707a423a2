import { readUnits } from "./answer.ts";
import type { Packed, PackedMap } from "./msgpack.ts";
import { addressIn, listIn, mapIn } from "./packed-fields.ts";

/** Value that a transaction moved from one account to another. */
export type Move = {
  readonly from: string;
  readonly to: string;
  /** The asset's id; null for coin. */
  readonly asset: string | null;
  readonly units: bigint;
};

/**
 * Everything that a transaction of a block moved, with what its inner transactions moved, in the order of execution. What an account closes
 * into another one is part of it; a clawback moves from the account that it takes from. Moves of 0, such as opt-ins, are left out.
 */
export function movesOf(signed: PackedMap): readonly Move[] {
  const transaction = mapIn(signed.get("txn"));
  const delta = signed.get("dt");
  const inner = delta === undefined ? [] : listIn(mapIn(delta).get("itx"));
  return [...ownMoves(transaction, signed), ...inner.flatMap((one) => movesOf(mapIn(one)))].filter(
    ({ units }) => units > 0n,
  );
}

function ownMoves(transaction: PackedMap, signed: PackedMap): readonly Move[] {
  const sender = addressIn(transaction.get("snd"));
  const closed = (to: Packed | undefined, from: string, asset: string | null, units: bigint) =>
    to === undefined ? [] : [{ from, to: addressIn(to), asset, units }];
  const type = transaction.get("type");
  if (type === "pay")
    return [
      {
        from: sender,
        to: addressIn(transaction.get("rcv")),
        asset: null,
        units: readUnits(transaction.get("amt")),
      },
      ...closed(transaction.get("close"), sender, null, readUnits(signed.get("ca"))),
    ];
  if (type !== "axfer") return [];
  const taken = transaction.get("asnd");
  const from = taken === undefined ? sender : addressIn(taken);
  const asset = readUnits(transaction.get("xaid")).toString();
  return [
    {
      from,
      to: addressIn(transaction.get("arcv")),
      asset,
      units: readUnits(transaction.get("aamt")),
    },
    ...closed(transaction.get("aclose"), from, asset, readUnits(signed.get("aca"))),
  ];
}
