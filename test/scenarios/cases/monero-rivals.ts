import { expect } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { eventually } from "../../support/eventually.ts";
import type { HttpGateway } from "../../support/http-gateway.ts";
import type { Resource } from "../support/api-client.ts";
import {
  attemptStates,
  expectEqualBooks,
  type MoneroScene,
  moneroWallet,
  untilFinal,
} from "../support/monero-scene.ts";
import { heldSignatures } from "../support/restorable-monero.ts";
import { runSluice } from "../support/run-sluice.ts";
import { resumed } from "./monero-restores.ts";

/**
 * A transaction that neither database nor journal knows is mined and spends the coin of a payout whose own transaction is signed. Nodes do not
 * tell who spent it, and its receivers are hidden, so the payout waits for a person. Then it fails, and its wallet has the money again.
 */
export async function spendCoinElsewhere(
  scene: MoneroScene,
  broadcasts: HttpGateway,
): Promise<void> {
  const { chain, deployment, pay, payees, shop, site } = scene;
  const wallet = await moneroWallet(scene, "5");
  const signatures = heldSignatures(deployment.configFile);
  await signatures.hold("answer");
  const payout = await pay(wallet, await payees.create(), "0.6");
  const unknown = await eventually(signatures.held, (raw) => raw !== null, 120);
  await Promise.all([deployment.killSigner(), deployment.killWorker()]);
  await signatures.letGo();
  broadcasts.intercept = (path) =>
    path === "/send_raw_transaction" ? { status: "Failed", reason: "not now" } : undefined;
  deployment.startSigner();
  await deployment.startWorker();
  await eventually(
    () => attemptStates(site, payout),
    (states) => states.includes("signed"),
    120,
  );
  expect(await payees.submit(present(unknown, "the unknown transaction"))).toMatchObject({
    status: "OK",
  });
  await chain.mine(untilFinal);
  broadcasts.intercept = () => undefined;
  const txid = await eventually(
    () => unexplained(scene),
    (found) => found !== null,
    120,
  );
  // Asked about it since, the node says that something spent the coin.
  await eventually(() => wasChecked(scene, payout), Boolean, 180);
  expect(await stageOf(scene, payout)).toBe("sending");
  await shop.expectBalance(wallet, await left(scene, payout), "0.000000000000");

  const config = ["--config", deployment.configFile];
  await runSluice(
    ...["unexplained", "release", "XMR", present(txid, "its id")],
    ...["--reason", "it paid nobody on record", ...config],
  );
  await eventually(
    () => stageOf(scene, payout),
    (stage) => stage === "failed",
    180,
  );
  await shop.expectBalance(wallet, "5.000000000000", "0.000000000000");
  await runSluice("adjust", "XMR", ...config);
  await expectEqualBooks(scene);
  await resumed(deployment);
}

async function unexplained({ site }: MoneroScene): Promise<string | null> {
  const [row] = await site.sql<{ readonly txid: string }>(
    "select txid from unexplained_spend where chain = 'XMR' and decided_at is null and block_height is not null",
  );
  return row?.txid ?? null;
}

/** Whether the nodes were asked about the payout's transaction after the other one was entered. */
async function wasChecked({ site }: MoneroScene, { id }: Resource): Promise<boolean> {
  const rows = await site.sql(
    `select from spend_attempt a join payout p on p.spend_id = a.spend_id
     where p.id = $1 and a.checked_at > (select max(seen_at) from unexplained_spend)`,
    [id],
  );
  return rows.length > 0;
}

async function stageOf({ site }: MoneroScene, { id }: Resource): Promise<string | undefined> {
  const [row] = await site.sql<{ readonly stage: string }>(
    "select stage from payout where id = $1",
    [id],
  );
  return row?.stage;
}

/** What its wallet has beside the amount and the fee that the payout holds. */
async function left({ site }: MoneroScene, { id }: Resource): Promise<string> {
  const [row] = await site.sql<{ readonly held: bigint }>(
    "select charged_units + charged_fee_units as held from payout where id = $1",
    [id],
  );
  const units = 5n * 10n ** 12n - present(row, "the payout").held;
  return `${units / 10n ** 12n}.${String(units % 10n ** 12n).padStart(12, "0")}`;
}
