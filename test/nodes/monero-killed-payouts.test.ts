import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/platform/kernel/assert.ts";
import { restoreLostMachine, restoreOlderDatabase } from "../scenarios/cases/monero-restores.ts";
import { spendCoinElsewhere } from "../scenarios/cases/monero-rivals.ts";
import type { Resource } from "../scenarios/support/api-client.ts";
import type { Payee } from "../scenarios/support/monero-payees.ts";
import {
  attemptStates,
  type MoneroScene,
  moneroWallet,
  signedIds,
  withMonero,
} from "../scenarios/support/monero-scene.ts";
import {
  type RestorableDeployment,
  startRestorableDeployment,
} from "../scenarios/support/restorable-deployment.ts";
import { heldSignatures } from "../scenarios/support/restorable-monero.ts";
import { eventually } from "../support/eventually.ts";
import { type HttpGateway, startHttpGateway } from "../support/http-gateway.ts";
import { describeWithMonero } from "../support/monero-node.ts";

/*
 * Worker and signer of a deployment that pays XMR are killed (SIGKILL) between any two steps of a payout, on real monerod with Monero's own
 * wallets. Signing is not deterministic: whatever was signed and lost must never be paid beside what was signed again.
 */

const opened: { deployment: RestorableDeployment | null; gateways: HttpGateway[] } = {
  deployment: null,
  gateways: [],
};
/** All of them take minutes, so CI runs those in which something signed is lost. */
const isEveryKill = process.env["SLUICE_MONERO_KILLS"] === "all";
const forever = new Promise<never>(() => undefined);
/** Fewer than the deepest reorg that is followed. */
const blocksReplaced = 90;
/** A ring has 15 random members, none younger than 60 blocks on a chain of coinbases. Of 165, one is younger than 90. */
const manyCoins = ["4", ...Array.from({ length: 10 }, () => "4")] as const;

describeWithMonero("payouts of XMR whose programs are killed", (programs) => {
  let broadcasts: HttpGateway;
  let viewWallet: HttpGateway;
  beforeAll(async () => {
    const nodesOf = async (name: string, url: string): Promise<readonly string[]> => {
      if (!name.startsWith("XMR")) return [url];
      const gateway = await startHttpGateway(url);
      opened.gateways.push(gateway);
      if (name === "XMR") broadcasts = gateway;
      else viewWallet = gateway;
      return [gateway.url];
    };
    const payouts = { stuck_after_seconds: 5 };
    opened.deployment = await startRestorableDeployment({ XMR: programs }, nodesOf, { payouts });
    // A node with three programs, a database, keys and three processes start in seconds, or minutes on a busy machine.
  }, 900_000);
  afterAll(async () => {
    await opened.deployment?.stop();
    for (const gateway of opened.gateways) await gateway.close();
  }, 900_000);

  type Scene = Omit<MoneroScene, "pay"> & {
    readonly pay: (payee: Payee, amount: string) => Promise<Resource>;
  };
  /** A wallet that received these amounts, and who pays out of it. */
  const withWallet = (
    funds: readonly [string, ...string[]],
    work: (scene: Scene) => Promise<void>,
  ): Promise<void> =>
    withMonero(present(opened.deployment, "the deployment"), async (scene) => {
      const wallet = await moneroWallet(scene, ...funds);
      await work({ ...scene, pay: (payee, amount) => scene.pay(wallet, payee, amount) });
    });

  it(
    "signed by the offline wallet, and not in the journal: is paid once, and the lost signature is worth nothing",
    {
      timeout: 900_000,
    },
    () =>
      withWallet(["5"], async ({ deployment, chain, pay, expectPaid, payees }) => {
        const signatures = heldSignatures(deployment.configFile);
        await signatures.hold("answer");
        const payee = await payees.create();
        const payout = await pay(payee, "0.6");
        const lost = await eventually(signatures.held, (raw) => raw !== null, 120);
        await Promise.all([deployment.killSigner(), deployment.killWorker()]);
        expect(await signedIds(deployment, payout)).toEqual([]);
        await signatures.letGo();
        deployment.startSigner();
        await deployment.startWorker();
        const txid = await expectPaid(payout, payee, "0.6");
        expect(await signedIds(deployment, payout)).toEqual([txid]);
        expect(await payees.submit(present(lost, "the lost transaction"))).toMatchObject({
          status: "Failed",
          double_spend: true,
        });
        await chain.mine(1);
        expect(await payees.received(payee)).toEqual(["0.6"]);
      }),
  );

  it(
    "signed, while an unknown transaction spends its coin: fails once a person has decided, and its funds return",
    {
      timeout: 900_000,
    },
    () =>
      withMonero(present(opened.deployment, "the deployment"), (scene) =>
        spendCoinElsewhere(scene, broadcasts),
      ),
  );

  it(
    "database and signer are restored from backups and words to a state before the payout and its coin: blocks show both",
    {
      timeout: 900_000,
    },
    () => restoreLostMachine(present(opened.deployment, "the deployment")),
  );

  if (!isEveryKill) return;

  it("drafted by the view-only wallet, and not recorded: is paid once", { timeout: 900_000 }, () =>
    withWallet(["5"], async ({ deployment, site, pay, expectPaid, payees }) => {
      let isDrafted = false;
      viewWallet.alter = (_path, { method }, document) => {
        if (method !== "transfer") return document;
        isDrafted = true;
        return forever;
      };
      const payee = await payees.create();
      const payout = await pay(payee, "0.4");
      await eventually(
        () => Promise.resolve(isDrafted),
        (was) => was,
        120,
      );
      await deployment.killWorker();
      expect(await attemptStates(site, payout)).toEqual([]);
      viewWallet.alter = (_path, _body, document) => document;
      await deployment.startWorker();
      const txid = await expectPaid(payout, payee, "0.4");
      expect(await signedIds(deployment, payout)).toEqual([txid]);
    }),
  );

  it("recorded, and not signed: is paid once", { timeout: 900_000 }, () =>
    withWallet(["5"], async ({ deployment, site, pay, expectPaid, payees }) => {
      const signatures = heldSignatures(deployment.configFile);
      await signatures.hold("request");
      const payee = await payees.create();
      const payout = await pay(payee, "0.5");
      await eventually(signatures.isHeld, (is) => is, 120);
      await Promise.all([deployment.killSigner(), deployment.killWorker()]);
      expect(await attemptStates(site, payout)).toEqual(["signing"]);
      expect(await signedIds(deployment, payout)).toEqual([]);
      await signatures.letGo();
      deployment.startSigner();
      await deployment.startWorker();
      const txid = await expectPaid(payout, payee, "0.5");
      expect(await signedIds(deployment, payout)).toEqual([txid]);
    }),
  );

  it("in the journal, and not broadcast: the same bytes are sent", { timeout: 900_000 }, () =>
    withWallet(["5"], async ({ deployment, pay, expectPaid, payees }) => {
      let isAsked = false;
      broadcasts.intercept = (path) => {
        if (path !== "/send_raw_transaction") return undefined;
        isAsked = true;
        return forever;
      };
      const payee = await payees.create();
      const payout = await pay(payee, "0.7");
      await eventually(
        () => Promise.resolve(isAsked),
        (was) => was,
        120,
      );
      await Promise.all([deployment.killSigner(), deployment.killWorker()]);
      const signed = await signedIds(deployment, payout);
      expect(signed).toHaveLength(1);
      expect(await payees.waiting()).not.toContain(signed[0]);
      broadcasts.intercept = () => undefined;
      deployment.startSigner();
      await deployment.startWorker();
      expect([await expectPaid(payout, payee, "0.7")]).toEqual(signed);
      expect(await signedIds(deployment, payout)).toEqual(signed);
    }),
  );

  it("broadcast, and not recorded: is recognized", { timeout: 900_000 }, () =>
    withWallet(["5"], async ({ deployment, pay, expectPaid, payees }) => {
      let isTaken = false;
      broadcasts.alter = (path, _body, document) => {
        if (path !== "/send_raw_transaction") return document;
        isTaken = true;
        return forever;
      };
      const payee = await payees.create();
      const payout = await pay(payee, "0.8");
      await eventually(
        () => Promise.resolve(isTaken),
        (was) => was,
        120,
      );
      await deployment.killWorker();
      const signed = await signedIds(deployment, payout);
      expect(await payees.waiting()).toEqual(signed);
      broadcasts.alter = (_path, _body, document) => document;
      await deployment.startWorker();
      expect([await expectPaid(payout, payee, "0.8")]).toEqual(signed);
      expect(await signedIds(deployment, payout)).toEqual(signed);
    }),
  );

  it("two workers at once, one of which is killed: each is paid once", { timeout: 900_000 }, () =>
    withWallet(["9"], async ({ deployment, chain, site, pay, payees }) => {
      await deployment.startOtherWorker();
      const orders = ["0.11", "0.12", "0.13", "0.14", "0.15", "0.16"];
      const paid: { readonly payout: Resource; readonly payee: Payee; readonly amount: string }[] =
        [];
      for (const amount of orders) {
        const payee = await payees.create();
        paid.push({ payout: await pay(payee, amount), payee, amount });
        if (amount === "0.13") await deployment.killWorker();
      }
      await eventually(
        async () => {
          await chain.mine(1);
          const ids = paid.map(({ payout }) => payout.id);
          return site.sql(
            "select from payout where id = any($1::bigint[]) and stage <> 'confirmed'",
            [ids],
          );
        },
        (open) => open.length === 0,
        120,
      );
      for (const { payee, amount } of paid) expect(await payees.received(payee)).toEqual([amount]);
      await deployment.startWorker();
      await deployment.killOtherWorker();
    }),
  );

  it(
    "a reorg that invalidates its ring: is drafted again with the same key images, and paid once",
    {
      timeout: 900_000,
    },
    () =>
      withWallet(manyCoins, async ({ deployment, chain, pay, expectPaid, payees, site }) => {
        // No coin of ours is in the blocks that are replaced. So many coins have so many members in their rings that one is.
        await chain.mine(blocksReplaced);
        const payee = await payees.create();
        const payout = await pay(payee, "40");
        const [first] = await eventually(
          () => signedIds(deployment, payout),
          (ids) => ids.length > 0,
          120,
        );
        await eventually(payees.waiting, (ids) => ids.includes(present(first, "it")), 120);
        await chain.mine(1);
        const { height } = await chain.tip();
        const newest = await payees.newestRingMember(present(first, "it"));
        const depth = height - newest + 1;
        expect(depth).toBeLessThan(blocksReplaced);
        await chain.reorg(depth, "wait");
        await chain.caughtUp();
        expect(await payees.waiting()).toEqual([]);
        await eventually(
          () => signedIds(deployment, payout),
          (ids) => ids.length === 2,
          120,
        );
        const txid = await expectPaid(payout, payee, "40");
        expect(txid).not.toBe(first);
        const spends = await deployment.signedFor(payout.id);
        expect(spends.map((spend) => spend.txid)).toEqual([first, txid]);
        const [one, other] = spends.map(({ claims }) => claims);
        expect(one).toEqual(other);
        expect(await attemptStates(site, payout)).toHaveLength(2);
      }),
  );

  it(
    "the database is restored to a state before them: the journal's are adopted, none is paid twice",
    {
      timeout: 900_000,
    },
    () => restoreOlderDatabase(present(opened.deployment, "the deployment")),
  );
});
