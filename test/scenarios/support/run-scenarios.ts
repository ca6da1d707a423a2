import { afterAll, beforeAll, describe, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { callbackDelivery } from "../cases/callback-delivery.ts";
import { confirmationCounts } from "../cases/confirmation-counts.ts";
import { enterpriseDeposits } from "../cases/enterprise-deposits.ts";
import { expiringInvoices } from "../cases/expiring-invoices.ts";
import { internalPayouts } from "../cases/internal-payouts.ts";
import { merchantDeposits } from "../cases/merchant-deposits.ts";
import { nodeOutage } from "../cases/node-outage.ts";
import { pauseEverywhere, payoutControls } from "../cases/payout-controls.ts";
import { payoutOutages, payoutReorgs } from "../cases/payout-outages.ts";
import { payoutScreening } from "../cases/payout-screening.ts";
import { payoutsOnChain } from "../cases/payouts-on-chain.ts";
import { payTogether } from "../cases/payouts-together.ts";
import { reorgs } from "../cases/reorgs.ts";
import { screening } from "../cases/screening.ts";
import { sweeping } from "../cases/sweeping.ts";
import { throttling } from "../cases/throttling.ts";
import { twoTenants } from "../cases/two-tenants.ts";
import { unusualPayments } from "../cases/unusual-payments.ts";
import { expectWholeBooks } from "../cases/whole-books.ts";
import { type DefineScenario, patienceMs, scenariosOn } from "./define-scenario.ts";
import type { Deployment } from "./deployment.ts";
import { openTestSite, type TestSite } from "./test-site.ts";

/** `basic`: what each kind of deployment must be able to do. `allWithOutages` needs nodes that can be killed. */
export type Extent = "basic" | "all" | "allWithOutages";

/** Runs scenarios concurrently on one deployment. */
export function runScenarios(startDeployment: () => Promise<Deployment>, extent: Extent): void {
  const isAll = extent !== "basic";
  const withOutages = extent === "allWithOutages";
  let deployment: Deployment | null = null;
  let site: TestSite | null = null;
  const opened = (): TestSite => present(site, "the test site");
  beforeAll(async () => {
    deployment = await startDeployment();
    site = await openTestSite(deployment);
    // Nodes, a database, keys and five processes start in seconds, or minutes on a busy machine.
  }, 900_000);
  afterAll(async () => {
    await site?.close();
    await deployment?.stop();
  });

  describe("scenarios", () => {
    const play = scenariosOn(opened);
    // The scenarios that wait longest start first.
    if (isAll) expiringInvoices(play);
    if (withOutages) nodeOutage(play);
    sweeping(play);
    if (withOutages) payoutOutages(play);
    if (isAll) playReorgsAndRules(play);
    enterpriseDeposits(play);
    payoutsOnChain(play);
    merchantDeposits(play);
    callbackDelivery(play);
    twoTenants(play);
    throttling(play);
  });

  describe("the deployment", () => {
    it(
      "accepts and sends no payouts while they are paused everywhere",
      { timeout: patienceMs },
      () => pauseEverywhere(opened()),
    );

    it(
      "pays twenty ETH and USDT payouts at once, of which one fails alone",
      { timeout: patienceMs },
      () => payTogether(opened()),
    );
    it("ends with books that match the chains", { timeout: patienceMs }, () =>
      expectWholeBooks(opened()),
    );
  });
}

function playReorgsAndRules(play: DefineScenario): void {
  payoutReorgs(play);
  payoutControls(play);
  payoutScreening(play);
  internalPayouts(play);
  confirmationCounts(play);
  reorgs(play);
  unusualPayments(play);
  screening(play);
}
