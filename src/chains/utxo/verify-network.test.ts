import { describe, expect, it } from "vitest";
import { utxoChain } from "../../../test/support/known-chains.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { WrongNetwork } from "../port.ts";
import { RpcError } from "../rpc/node-error.ts";
import { verifyUtxoNode } from "./verify-network.ts";

/* Nodes of chains that share Bitcoin's block 0: their blocks after each split, and the services that they announce to peers. */

const splitFromBitcoin = 478_559;
const splitFromBitcoinSv = 556_767;
const splitFromEcash = 661_648;
const bitcoin = utxoChain("BTC").networks;
const bitcoinCash = utxoChain("BCH").networks;
const [bitcoinBlock = ""] = (bitcoin.main.identity?.splits ?? []).map(({ hash }) => hash);
const cashBlocks = (bitcoinCash.main.identity?.splits ?? []).map(({ hash }) => hash);
const bitcoinSvBlock = "000000000000000001d956714215d96ffc00e0afda4cd0a96c96f8d802b1662b";

type Described = {
  readonly services: string;
  readonly blocks: Readonly<Record<number, string>>;
  readonly chain?: string;
};

/** A node that knows these blocks and no later ones. */
function node({ blocks, chain = "main", services }: Described) {
  return (method: string, [height]: readonly unknown[]): Promise<unknown> => {
    if (method === "getblockchaininfo") return Promise.resolve({ chain });
    if (method === "getnetworkinfo")
      return Promise.resolve({ localservices: services, subversion: "/Node:1.0/" });
    const hash = height === 0 ? bitcoin.main.genesisHash : blocks[height as number];
    return hash === undefined
      ? Promise.reject(new RpcError(-8, "Block height out of range"))
      : Promise.resolve(hash);
  };
}

const bitcoinNode: Described = {
  services: "0000000000000c09",
  blocks: { [splitFromBitcoin]: bitcoinBlock },
};
const [first = "", second = "", third = ""] = cashBlocks;
const cashNode: Described = {
  services: "0000000000000425",
  blocks: {
    [splitFromBitcoin]: first,
    [splitFromBitcoinSv]: second,
    [splitFromEcash]: third,
  },
};

describe("a node of a chain that shares its block 0 with others", () => {
  it("is accepted as one of its own chain", async () => {
    await expect(verifyUtxoNode(bitcoin.main)(node(bitcoinNode))).resolves.toBeUndefined();
    await expect(verifyUtxoNode(bitcoinCash.main)(node(cashNode))).resolves.toBeUndefined();
  });

  it.each([
    [
      "Bitcoin for Bitcoin Cash",
      bitcoinCash.main,
      bitcoinNode,
      "the node /Node:1.0/ does not announce the service BITCOIN_CASH (bit 5 of 0000000000000c09)",
    ],
    [
      "Bitcoin Cash for Bitcoin",
      bitcoin.main,
      cashNode,
      "the node /Node:1.0/ does not announce the service WITNESS (bit 3 of 0000000000000425)",
    ],
    [
      "Bitcoin for Bitcoin Cash, whatever it announces",
      bitcoinCash.main,
      { ...bitcoinNode, services: cashNode.services },
      `the node's block ${splitFromBitcoin} is ${bitcoinBlock}, this chain's is ${first}: the node follows Bitcoin or`,
    ],
    [
      "Bitcoin Cash for Bitcoin, whatever it announces",
      bitcoin.main,
      { ...cashNode, services: bitcoinNode.services },
      `the node's block ${splitFromBitcoin} is ${first}, this chain's is ${bitcoinBlock}: the node follows Bitcoin Cash or`,
    ],
    [
      "Bitcoin SV for Bitcoin Cash",
      bitcoinCash.main,
      { ...cashNode, blocks: { ...cashNode.blocks, [splitFromBitcoinSv]: bitcoinSvBlock } },
      `the node's block ${splitFromBitcoinSv} is ${bitcoinSvBlock}, this chain's is ${second}: the node follows Bitcoin SV or`,
    ],
    [
      "a node that states its services in no known form",
      bitcoinCash.main,
      { ...cashNode, services: "25" },
      "does not announce the service BITCOIN_CASH",
    ],
  ])("is refused where it follows %s", async (_, network, described, message) => {
    const verified = verifyUtxoNode(network)(node(described));
    await expect(verified).rejects.toThrow(WrongNetwork);
    await expect(verified).rejects.toThrow(message);
  });

  it("has to wait until it has read the block that shows its chain", async () => {
    const behind = { ...cashNode, blocks: { [splitFromBitcoin]: first } };
    const verified = verifyUtxoNode(bitcoinCash.main)(node(behind));
    await expect(verified).rejects.toThrow(Unavailable);
    await expect(verified).rejects.toThrow(
      `has no block ${splitFromBitcoinSv} yet, which tells its chain from Bitcoin SV`,
    );
  });

  it("is identified on private chains by its services alone", async () => {
    const regtest = (described: Described) => {
      const answer = node({ ...described, blocks: {}, chain: "regtest" });
      return (method: string, params: readonly unknown[]) =>
        method === "getblockhash" && params[0] === 0
          ? Promise.resolve(bitcoin.regtest.genesisHash)
          : answer(method, params);
    };
    await verifyUtxoNode(bitcoinCash.regtest)(regtest(cashNode));
    await verifyUtxoNode(bitcoin.regtest)(regtest(bitcoinNode));
    await expect(verifyUtxoNode(bitcoin.regtest)(regtest(cashNode))).rejects.toThrow(WrongNetwork);
    await expect(verifyUtxoNode(bitcoinCash.regtest)(regtest(bitcoinNode))).rejects.toThrow(
      WrongNetwork,
    );
  });
});
