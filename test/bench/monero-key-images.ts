/**
 * How long the wallets take to agree on the key image of one new coin, by how many outputs the account ever received:
 * `node test/bench/monero-key-images.ts` (about three minutes).
 */
import { homedir } from "node:os";
import { present } from "../../src/platform/kernel/assert.ts";
import { mineMonero } from "../../src/sandbox/drive-monero-node.ts";
import { findDaemon } from "../../src/sandbox/find-daemon.ts";
import { startTestMonero } from "../support/monero-node.ts";
import { openMoneroPayer } from "../support/monero-payer.ts";

const never = new AbortController().signal;
const histories = [100, 250, 500, 1_000];
const coin = 1_000_000_000_000n;

function programOf(name: "monerod" | "monero-wallet-rpc"): string {
  const { env } = process;
  const places = {
    path: env["PATH"] ?? "",
    home: homedir(),
    cacheHome: env["XDG_CACHE_HOME"] ?? "",
  };
  const found = findDaemon(name, places);
  if (found.kind === "missing") throw new Error(found.reason);
  return found.path;
}

const programs = { monerod: programOf("monerod"), walletRpc: programOf("monero-wallet-rpc") };
const node = await startTestMonero(programs);
const payer = await openMoneroPayer(node, programs);
try {
  const { addressing, writer } = payer.adapter;
  const { address } = present(addressing.changeAt, "change addresses")(0);
  const learn = present(present(writer, "a writer").keyImagesOf, "key images");
  await payer.receive([coin]);
  let received = 1;
  for (const history of histories) {
    // Each block pays its miner once.
    await mineMonero(node.drive, history - received, address);
    received = history;
    const beganAt = performance.now();
    await learn([], never);
    const allMs = performance.now() - beganAt;
    const measured: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      await mineMonero(node.drive, 1, address);
      received += 1;
      const start = performance.now();
      await learn([], never);
      measured.push(performance.now() - start);
    }
    await payer.signer.close();
    const lostAt = performance.now();
    await learn([], never).catch(() => learn([], never));
    const lostMs = performance.now() - lostAt;
    const [, median = 0] = measured.toSorted((one, other) => one - other);
    console.log(
      `${history} outputs: ${Math.round(median)} ms for one more, ${Math.round(allMs)} ms for those that were new, ${Math.round(lostMs)} ms after the signer's wallet was started again`,
    );
  }
} finally {
  await payer.close();
  await node.stop();
}
