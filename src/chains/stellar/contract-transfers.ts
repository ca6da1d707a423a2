import type { ContractEvent, ScVal } from "@stellar/stellar-sdk/xdr";
import { hexOf } from "./answer.ts";
import { addressOfKey } from "./payee-addressing.ts";

/** A transfer to an account that a contract reports (CAP-67). Any contract can report anything: the contract says who vouches. */
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
    const [name, , receiver] = topics;
    if (name?.type !== "scvSymbol" || name.sym.toString() !== "transfer") return [];
    const to = receiver === undefined ? null : accountIn(receiver);
    return to === null ? [] : [{ contract: hexOf(contractId.value), to, id: muxedIdIn(data) }];
  });
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
