import { formatDecimal } from "../../src/platform/kernel/decimal.ts";
import { type DrivenNode, signAndSend } from "../../src/sandbox/drive-utxo-node.ts";

/**
 * One transaction with two outputs to one address. The node's own commands refuse that, so the draft uses a second address, which is
 * then overwritten. Resolves with the id.
 */
export async function payTwice(
  node: DrivenNode,
  address: string,
  first: bigint,
  second: bigint,
): Promise<string> {
  const scriptOf = async (of: string): Promise<string> =>
    (await node.command<{ scriptPubKey: string }>("validateaddress", [of])).scriptPubKey;
  const standIn = await node.faucet<string>("getnewaddress");
  const outputs = { [address]: formatDecimal(first, 8), [standIn]: formatDecimal(second, 8) };
  const draft = await node.command<string>("createrawtransaction", [[], outputs]);
  const [wanted, placeholder] = [await scriptOf(address), await scriptOf(standIn)];
  const withLength = (script: string): string =>
    (script.length / 2).toString(16).padStart(2, "0") + script;
  const doubled = draft.replace(withLength(placeholder), withLength(wanted));
  const funded = await node.faucet<{ hex: string }>("fundrawtransaction", [doubled]);
  return await signAndSend(node, funded.hex);
}
