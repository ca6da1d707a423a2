import { describe, expect, it } from "vitest";
import { coins } from "./coins.ts";
import type { UtxoNetwork } from "./utxo-facts.ts";

const families = {
  utxo: coins.flatMap(({ chain, coin }) =>
    chain.family === "utxo" && chain.facts !== null ? [{ chain, coin, facts: chain.facts }] : [],
  ),
  evm: coins.flatMap(({ chain, tokens }) =>
    chain.family === "evm" && chain.facts !== null ? [{ chain, tokens, facts: chain.facts }] : [],
  ),
};

const countOf = (values: readonly unknown[]): number => new Set(values).size;

describe("the coins' files", () => {
  it("describe each chain and each payment URI once", () => {
    expect(countOf(coins.map(({ chain }) => chain.id))).toBe(coins.length);
    expect(countOf(coins.map(({ chain }) => chain.name))).toBe(coins.length);
    const schemes = coins.flatMap(({ chain: { paymentUri } }) =>
      paymentUri?.kind === "bip321" ? [paymentUri.scheme] : [],
    );
    expect(countOf(schemes)).toBe(schemes.length);
  });

  it("give every EVM network an EIP-155 id of its own, the sandbox's included", () => {
    const ids = families.evm.flatMap(({ facts: { chainIds, sandbox } }) => [
      chainIds.mainnet,
      chainIds.testnet,
      sandbox.chainId,
    ]);
    expect(families.evm).toHaveLength(7);
    expect(countOf(ids)).toBe(ids.length);
  });

  it("name test tokens that exist on the chain", () => {
    for (const { chain, tokens, facts } of families.evm) {
      const known = tokens.map(({ alpha }) => alpha);
      expect(known, chain.id).toEqual(expect.arrayContaining(Object.keys(facts.sandbox.tokens)));
    }
  });

  it("have prefixes that tell the main networks of chains of coins apart", () => {
    // A fork shares block 0 and base58 with its origin: services, later blocks and the prefix of its own spelling tell it apart.
    const isFork = ({ cashAddressPrefix }: UtxoNetwork): boolean => cashAddressPrefix !== undefined;
    const sharing = families.utxo.flatMap(({ facts: { networks } }) =>
      networks.main.identity === undefined ? [] : [networks.main],
    );
    const marks = sharing.flatMap(({ identity, ...network }) => [
      ...(isFork(network) ? [network.cashAddressPrefix] : []),
      identity?.service.bit,
      ...(identity?.splits ?? []).map(({ hash }) => hash),
    ]);
    expect(marks).not.toContain(undefined);
    expect(countOf(marks.map(String))).toBe(marks.length);
    for (const { identity } of sharing) expect(identity?.splits.length).toBeGreaterThan(0);
    const others = families.utxo.filter(({ facts: { networks } }) => !isFork(networks.main));
    const prefixes = others.flatMap(({ facts: { networks } }) => [
      ...(networks.main.segwitPrefix === null ? [] : [networks.main.segwitPrefix]),
      networks.main.genesisHash,
      networks.main.publicKeyHashPrefix,
      // Only the first is written. Litecoin also accepts Bitcoin's, as its node does.
      networks.main.scriptHashPrefixes[0],
    ]);
    expect(families.utxo.length).toBeGreaterThan(1);
    expect(countOf(prefixes)).toBe(prefixes.length);
  });

  it("have minimum payments above the dust of every address type", () => {
    for (const { chain, coin, facts } of families.utxo)
      for (const [type, dust] of Object.entries(facts.dustUnits))
        expect(coin.minimalTransferUnits, `${chain.id} ${type}`).toBeGreaterThan(dust);
  });
});
