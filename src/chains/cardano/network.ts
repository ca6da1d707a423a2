import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { WrongNetwork } from "../port.ts";
import { readFields, readList, readText } from "../rpc/answer.ts";
import { readNumber } from "./answer.ts";
import type { CardanoLink } from "./cardano-node.ts";

/** For `CardanoNodeOptions.verify`: applied to every node before it is used. */
export function verifyCardanoNode(network: CardanoNetworkId): (link: CardanoLink) => Promise<void> {
  return async (link) => {
    await verifyNetwork(link, network);
    await verifyIndex(link);
  };
}

/** Throws `WrongNetwork` when the node belongs to another network. */
export async function verifyNetwork(
  link: CardanoLink,
  { kind, magic }: CardanoNetworkId,
): Promise<void> {
  const genesis = await link.ogmios(
    "queryNetwork/genesisConfiguration",
    { era: "shelley" },
    (result) => {
      const fields = readFields(result);
      return { magic: readNumber(fields["networkMagic"]), network: readText(fields["network"]) };
    },
  );
  if (genesis.magic !== magic)
    throw new WrongNetwork(`the node's network has the magic ${genesis.magic}, not ${magic}`);
  if (genesis.network !== (kind === "main" ? "mainnet" : "testnet"))
    throw new WrongNetwork(`the node calls its network ${genesis.network}`);
}

/** An index of some addresses would show the others as empty, and senders as unknown. */
async function verifyIndex(link: CardanoLink): Promise<void> {
  const patterns = await link.kupo("/patterns", (document) => readList(document).map(readText));
  if (!patterns.includes("*"))
    throw new Unavailable("kupo", `it must run with --match "*", and has ${patterns.join(", ")}`);
}
