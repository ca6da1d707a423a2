import { dirname, join } from "node:path";
import { expect } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import type { MoneroSite } from "../../../src/sandbox/sandbox-file.ts";
import { eventually } from "../../support/eventually.ts";
import type { Resource } from "../support/api-client.ts";
import { moneroPayees } from "../support/monero-payees.ts";
import {
  expectEqualBooks,
  moneroWallet,
  signedIds,
  untilFinal,
  withMonero,
} from "../support/monero-scene.ts";
import { moneroUnits } from "../support/monero-units.ts";
import { withMoneroWallet } from "../support/monero-wallet.ts";
import type { RestorableDeployment } from "../support/restorable-deployment.ts";
import { loseViewWallet } from "../support/restorable-monero.ts";
import { runSluice, runSluiceIn } from "../support/run-sluice.ts";
import { addressOf } from "../support/shop.ts";

/** The database is restored to a state before payouts that the signer's journal has: they are adopted. */
export async function restoreOlderDatabase(deployment: RestorableDeployment): Promise<void> {
  const { wallet, early, payout } = await withMonero(deployment, async (scene) => {
    const funded = await moneroWallet(scene, "9");
    await deployment.killWorker();
    const payee = await scene.payees.create();
    return { wallet: funded, early: payee, payout: await scene.pay(funded, payee, "0.31") };
  });
  await deployment.killAll();
  await deployment.backUp();
  await Promise.all([deployment.startApi(), deployment.startWorker()]);
  const forgotten = await withMonero(deployment, async (scene) => {
    await scene.cashier.expectSent(payout);
    const payee = await scene.payees.create();
    const lost = await scene.pay(wallet, payee, "0.32");
    await scene.cashier.expectSent(lost);
    const deposits: Resource[] = [];
    for (let count = 0; count < 3; count += 1) deposits.push(await scene.shop.deposit(wallet));
    return { payee, lost, deposits };
  });
  const signed = [await signedIds(deployment, payout), await signedIds(deployment, forgotten.lost)];
  expect(signed.map((txids) => txids.length)).toEqual([1, 1]);
  await deployment.killAll();
  await deployment.restore();
  await Promise.all([deployment.startApi(), deployment.startWorker()]);
  await resumed(deployment);
  await withMonero(deployment, async (scene) => {
    const { chain, cashier, payees, shop, pay, expectPaid } = scene;
    await chain.mine(untilFinal);
    await cashier.expectTransfer(payout, { status: 2, txid: signed[0]?.[0] ?? "" });
    expect(await payees.received(early)).toEqual(["0.31"]);
    expect(await payees.received(forgotten.payee)).toEqual(["0.32"]);
    const addresses = forgotten.deposits.map(addressOf);
    for (let count = 0; count < 4; count += 1)
      expect(addresses).not.toContain(addressOf(await shop.deposit(wallet)));
    const payee = await payees.create();
    await expectPaid(await pay(wallet, payee, "0.33"), payee, "0.33");
    expect(await signedIds(deployment, payout)).toEqual(signed[0]);
    expect(await signedIds(deployment, forgotten.lost)).toEqual(signed[1]);
    await expectEqualBooks(scene);
  });
}

/**
 * Database and signer's folder are restored to a state before a payout that spent a coin received later: neither knows the transaction, nor the
 * coin's key image. Only the blocks show both. The keystore is restored from its words, and the view-only wallet has lost its files, so that both
 * wallets are made again in empty folders. The words alone restore the account in Monero's own wallet, too.
 */
export async function restoreLostMachine(deployment: RestorableDeployment): Promise<void> {
  const sluice = (...args: readonly string[]): Promise<string> =>
    runSluice(...args, "--config", deployment.configFile);
  const { wallet, address, payee, payout } = await withMonero(deployment, async (scene) => {
    const { payees, pay, shop } = scene;
    const funded = await moneroWallet(scene, "34");
    const paid = addressOf(await shop.deposit(funded));
    await deployment.killWorker();
    const receiver = await payees.create();
    const created = await pay(funded, receiver, "30");
    return { wallet: funded, address: paid, payee: receiver, payout: created };
  });
  await deployment.killAll();
  await deployment.backUp();
  await deployment.backUpSigner();
  const chainSite = present(deployment.chains["XMR"], "the chain") as MoneroSite;
  const { mine, send } = moneroPayees({ site: chainSite });
  // Of all coins the smallest one that suffices.
  await send(address, 31_000_000_000_000);
  await mine(untilFinal);
  await Promise.all([deployment.startApi(), deployment.startWorker()]);
  const txid = await withMonero(deployment, (scene) => scene.expectPaid(payout, payee, "30"));
  const [spend] = await deployment.signedFor(payout.id);
  expect(present(spend, "what was signed").claims).toHaveLength(1);

  await deployment.killAll();
  await deployment.killSigner();
  await deployment.restore();
  await deployment.restoreSignerFromWords();
  await loseViewWallet(deployment.configFile, chainSite);
  deployment.startSigner();
  await Promise.all([deployment.startApi(), deployment.startWorker()]);
  await withMonero(deployment, async (scene) => {
    const { cashier, chain, payees, pay, expectPaid, site } = scene;
    const listed = await eventually(
      () => sluice("unexplained", "list"),
      (text) => text.includes(txid),
      120,
    );
    expect(listed).toMatch(/paid 30 XMR in all, to receivers whom the chain hides/);
    const [, candidates = ""] = /unpaid payouts of no larger amount: (.*)/.exec(listed) ?? [];
    expect(candidates.split(", ")).toContain(payout.id);
    expect((await cashier.client.ask("POST", `/payout/${payout.id}/cancel/`)).status).toBe(400);
    await expect(sluice("resume")).rejects.toThrow("must decide about these transactions first");
    await sluice(
      ...["unexplained", "settle", "XMR", txid],
      ...["--payout", payout.id, "--reason", "the receiver has it"],
    );
    await resumed(deployment);
    await chain.mine(untilFinal);
    await cashier.expectTransfer(payout, { status: 2, txid });
    const other = await payees.create();
    await expectPaid(await pay(wallet, other, "0.34"), other, "0.34");
    expect(await payees.received(payee)).toEqual(["30"]);
    await expectEqualBooks(scene);
    await expectRestoredByWords(deployment, chainSite, await moneroUnits(chainSite, site.sql));
  });
}

/** Monero's own wallet restores the account from its 25 words: it shows what the account holds, and signs a payment, which is not sent. */
async function expectRestoredByWords(
  { configFile }: RestorableDeployment,
  chainSite: MoneroSite,
  units: bigint,
): Promise<void> {
  const PATH = `${join(dirname(configFile), "bin")}:${process.env["PATH"] ?? ""}`;
  const printed = await runSluiceIn({ PATH }, "signer", "words", "XMR", "--config", configFile);
  const seed = present(/^(?:[a-z]+ ){24}[a-z]+$/m.exec(printed)?.[0], "25 words");
  await withMoneroWallet(chainSite, async (ask) => {
    const wallet = { filename: "restored", password: "", restore_height: 0 };
    await ask("restore_deterministic_wallet", { ...wallet, seed });
    await ask("refresh", { start_height: 0 });
    const { balance } = await ask<{ readonly balance: number }>("get_balance", {
      account_index: 0,
    });
    expect(BigInt(balance)).toBe(units);
    const { address } = await ask<{ readonly address: string }>("get_address");
    const destinations = [{ address, amount: 100_000_000_000 }];
    const signed = await ask<{ readonly tx_blob: string }>("transfer", {
      destinations,
      do_not_relay: true,
      get_tx_hex: true,
    });
    expect(signed.tx_blob).toMatch(/^[0-9a-f]{2000,}$/);
  });
}

/** Once the chains are read, and what the signer has is known. */
export async function resumed({ configFile }: RestorableDeployment): Promise<void> {
  await eventually(
    () => runSluice("resume", "--config", configFile).catch(() => null),
    (printed) => printed !== null,
    120,
  );
}
