import type { ContractEvent, ScVal } from "@stellar/stellar-sdk/xdr";
import { hexOf } from "./answer.ts";
import { addressOfKey } from "./payee-addressing.ts";

/**
 * A transfer to an account that a contract reports (CAP-67), `mint` if the asset's issuer sent it. Any contract can report anything: the
 * contract says who vouches.
 */
export type ContractTransfer = {
  /** In hexadecimal. */
  readonly contract: string;
  readonly to: string;
  /** The id of the M-address to which it was sent. */
  readonly id: string | null;
};

export function contractTransfersIn(events: readonly ContractEvent[]): readonly ContractTransfer[] {
  return events.flatMap(({ contractId, body }) => {
    if (contractId === null) return [];
    const { topics, data } = body.v0;
    const receiver = receiverIn(topics);
    const to = receiver === null ? null : accountIn(receiver);
    return to === null ? [] : [{ contract: hexOf(contractId.value), to, id: muxedIdIn(data) }];
  });
}

/** After the name comes the sender, which `mint` has not named since protocol 23; the asset is last. */
function receiverIn([name, ...topics]: readonly ScVal[]): ScVal | null {
  if (name?.type !== "scvSymbol") return null;
  const kind = name.sym.toString();
  if (kind === "mint" && topics.length === 2) return topics[0] ?? null;
  return kind === "transfer" || kind === "mint" ? (topics[1] ?? null) : null;
}

function accountIn(value: ScVal): string | null {
  if (value.type !== "scvAddress" || value.address.type !== "scAddressTypeAccount") return null;
  return addressOfKey(value.address.accountId.ed25519.value);
}

/** With an M-address, the data is a map of the amount and `to_muxed_id`. */
function muxedIdIn(data: ScVal): string | null {
  if (data.type !== "scvMap") return null;
  const entry = data.map?.find(
    ({ key }) => key.type === "scvSymbol" && key.sym.toString() === "to_muxed_id",
  );
  return entry?.val.type === "scvU64" ? entry.val.u64.toString() : null;
}
