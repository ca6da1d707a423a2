import { nativeToScVal } from "@stellar/stellar-sdk/base";
import {
  ContractEvent,
  ContractEventBody,
  ContractEventType,
  ContractEventV0,
  ContractId,
  ExtensionPoint,
  type ScVal,
} from "@stellar/stellar-sdk/xdr";
import { describe, expect, it } from "vitest";
import { contractTransfersIn } from "./contract-transfers.ts";

/* Events as the contract of an asset reports them (CAP-67). */

const contract = "ab".repeat(32);
const asset = nativeToScVal("USDC:GBUYUAI75XXWDZEKLY66CFYKQPET5JR4EENXZBUZ3YXZ7DS56Z4OKOFU");
const issuer = nativeToScVal("GBUYUAI75XXWDZEKLY66CFYKQPET5JR4EENXZBUZ3YXZ7DS56Z4OKOFU", {
  type: "address",
});
const hot = "GDVSYYTUAJ3ACHTPQNSTQBDQ4LDHQCMNY4FCEQH5TJUMSSLWQSTG42MV";
const receiver = nativeToScVal(hot, { type: "address" });
const symbol = (name: string): ScVal => nativeToScVal(name, { type: "symbol" });

function transfersIn(topics: ScVal[], id: bigint | null) {
  const amount = nativeToScVal(5n, { type: "i128" });
  const withId = { amount, to_muxed_id: nativeToScVal(id ?? 0n, { type: "u64" }) };
  const data =
    id === null
      ? amount
      : nativeToScVal(withId, {
          type: { amount: ["symbol", null], to_muxed_id: ["symbol", null] },
        });
  return contractTransfersIn([
    new ContractEvent({
      ext: ExtensionPoint.v0(),
      contractId: new ContractId(Buffer.from(contract, "hex")),
      type: ContractEventType.contract,
      body: ContractEventBody.v0(new ContractEventV0({ topics, data })),
    }),
  ]);
}

describe("a transfer by the contract of an asset", () => {
  it.each([
    ["of anyone", [symbol("transfer"), issuer, receiver, asset]],
    ["of the issuer", [symbol("mint"), receiver, asset]],
    ["of the issuer, before protocol 23", [symbol("mint"), issuer, receiver, asset]],
  ])("%s names its receiver, and the id of the M-address", (_, topics) => {
    expect(transfersIn(topics, 77n)).toEqual([{ contract, to: hot, id: "77" }]);
    expect(transfersIn(topics, null)).toEqual([{ contract, to: hot, id: null }]);
  });

  it("is nothing else that a contract reports", () => {
    expect(transfersIn([symbol("burn"), receiver, asset], null)).toEqual([]);
    expect(transfersIn([symbol("approve"), issuer, receiver, asset], null)).toEqual([]);
    expect(transfersIn([symbol("mint")], null)).toEqual([]);
  });
});
