import { afterAll, beforeAll, describe, it } from "vitest";
import { present } from "../../../src/platform/kernel/assert.ts";
import { callbackDelivery } from "../stories/callback-delivery.ts";
import { confirmationCounts } from "../stories/confirmation-counts.ts";
import { enterpriseDeposits } from "../stories/enterprise-deposits.ts";
import { expiringInvoices } from "../stories/expiring-invoices.ts";
import { internalPayouts } from "../stories/internal-payouts.ts";
import { merchantDeposits } from "../stories/merchant-deposits.ts";
import { nodeOutage } from "../stories/node-outage.ts";
import { oddArrivals } from "../stories/odd-arrivals.ts";
import { pauseEverywhere, payoutControls } from "../stories/payout-controls.ts";
import { payoutOutages, payoutReorganisations } from "../stories/payout-mishaps.ts";
import { payoutScreening } from "../stories/payout-screening.ts";
import { payoutsOnChain } from "../stories/payouts-on-chain.ts";
import { reorganisations } from "../stories/reorganisations.ts";
import { screening } from "../stories/screening.ts";
import { sweeping } from "../stories/sweeping.ts";
import { throttling } from "../stories/throttling.ts";
import { twoTenants } from "../stories/two-tenants.ts";
import { expectWholeBooks } from "../stories/whole-books.ts";
import type { Deployment } from "./deployment.ts";
import { patienceMs, playOn } from "./play.ts";
import { openStage, type Stage } from "./stage.ts";

/** Runs every story concurrently on one deployment; those of outages only where its nodes can be killed. */
export function tellStories(
  startDeployment: () => Promise<Deployment>,
  { withOutages }: { readonly withOutages: boolean },
): void {
  let deployment: Deployment | null = null;
  let stage: Stage | null = null;
  const opened = (): Stage => present(stage, "the stage");
  beforeAll(async () => {
    deployment = await startDeployment();
    stage = await openStage(deployment);
    // Nodes, a database, keys and five processes start in seconds, or minutes on a busy machine.
  }, 600_000);
  afterAll(async () => {
    await stage?.close();
    await deployment?.stop();
  });

  describe("stories", () => {
    const play = playOn(opened);
    // The stories that wait longest start first.
    expiringInvoices(play);
    if (withOutages) nodeOutage(play);
    sweeping(play);
    if (withOutages) payoutOutages(play);
    payoutReorganisations(play);
    enterpriseDeposits(play);
    payoutsOnChain(play);
    payoutControls(play);
    payoutScreening(play);
    internalPayouts(play);
    confirmationCounts(play);
    merchantDeposits(play);
    reorganisations(play);
    oddArrivals(play);
    screening(play);
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

    it("ends with books that match the chains", { timeout: patienceMs }, () =>
      expectWholeBooks(opened()),
    );
  });
}
