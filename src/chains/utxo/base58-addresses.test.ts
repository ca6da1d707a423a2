/** Addresses from the test data of the chains' own projects. */
import { describe, expect, it } from "vitest";
import { signedUtxoNetwork, utxoChain } from "../../../test/support/known-chains.ts";
import dash from "../../../test/vectors/dash-addresses.json" with { type: "json" };
import dogecoin from "../../../test/vectors/dogecoin.json" with { type: "json" };
import type { UtxoNetworkName } from "../../currencies/utxo-facts.ts";
import { DraftRefused } from "../../signer/draft-signer.ts";
import { scriptOfAddress } from "../../signer/utxo/own-script.ts";
import { addressOfPayee, payeeOfAddress, scriptOfPayee } from "./output-script.ts";

type Vector = readonly [
  address: string,
  hash: string,
  kind: "p2pkh" | "p2sh",
  network: UtxoNetworkName,
];

const vectors: readonly (readonly [alpha: string, addresses: readonly Vector[]])[] = [
  ["DOGE", dogecoin.addresses as unknown as readonly Vector[]],
  ["DASH", dash.addresses as unknown as readonly Vector[]],
];

describe.each(vectors)("addresses of %s", (alpha, addresses) => {
  const { networks } = utxoChain(alpha);

  it.each(addresses)("are read and written alike here and in the signer: %s", (...vector) => {
    const [address, hash, kind, name] = vector;
    const payee = { kind, hash: new Uint8Array(Buffer.from(hash, "hex")) };
    const found = payeeOfAddress(networks[name], address);
    expect(found).toEqual({ kind, hash: Buffer.from(hash, "hex") });
    expect(addressOfPayee(networks[name], payee)).toBe(address);
    const signed = scriptOfAddress(signedUtxoNetwork(alpha, name), address);
    expect(Buffer.from(signed).toString("hex")).toBe(scriptOfPayee(payee));
  });

  it.each(addresses.filter(([, , , name]) => name === "main"))(
    "of the main network are refused elsewhere: %s",
    (address) => {
      for (const name of ["test", "regtest"] as const) {
        expect(payeeOfAddress(networks[name], address)).toBeNull();
        expect(() => scriptOfAddress(signedUtxoNetwork(alpha, name), address)).toThrow(
          DraftRefused,
        );
      }
      expect(payeeOfAddress(utxoChain("BTC").networks.main, address)).toBeNull();
    },
  );
});
