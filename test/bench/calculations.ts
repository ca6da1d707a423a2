import { present } from "../../src/platform/kernel/assert.ts";
import type { BenchSite } from "./bench-site.ts";
import { logIn } from "./deployment.ts";
import { loadHttp } from "./http-load.ts";
import type { LoadAnswer, LoadOrder } from "./http-load-process.ts";
import { openPayingSite, type PaidChain, startPaidChain } from "./paying-site.ts";
import { arrangePayingWallets, firstWalletId, payeesOf } from "./paying-wallets.ts";
import { processorFindings, processorTimeOf } from "./processor-time.ts";
import { boundFinding, type Finding } from "./report.ts";
import { bitcoinCurrency } from "./sample-deposit.ts";
import { calculationDocument, ether } from "./sample-payout.ts";

const rate = 200;
const seconds = 8;
const warmUpSeconds = 1.5;
const wallets = 50;
const payees = 1_000;

/** Fee calculations at the throttle's rate while the worker runs, each for another payee or amount. */
export async function benchCalculations(site: BenchSite): Promise<readonly Finding[]> {
  const started = [await startPaidChain(site, "ETH"), await startPaidChain(site, "BTC")];
  const chains = started.filter((chain) => chain !== null);
  const { deployment, tenant, apiPid } = await openPayingSite(site, "calculations", chains);
  const headers = await logIn(deployment, tenant);
  const findings: Finding[] = [];
  for (const [place, { id }] of chains.entries()) {
    const first = firstWalletId + place * wallets;
    const currency = currencyOf(id);
    const ids = { first, count: wallets };
    const paying = await arrangePayingWallets(deployment, tenant, currency, ids);
    const bodies = payeesOf(currency, payees).map((address, index) =>
      calculationDocument({
        walletId: paying[index % paying.length] ?? "",
        currency,
        address,
        amount: `0.0${1_000 + index}`,
      }),
    );
    const order: LoadOrder = {
      origin: deployment.config.base_url,
      method: "POST",
      paths: ["/payout/calculate/"],
      headers,
      bodies,
      fresh: null,
      status: 200,
      connections: 64,
      warmUpSeconds,
      seconds,
      rate,
    };
    const { answer, usedSeconds } = await meter(order);
    const { p50Ms, p99Ms, perSecond } = answer;
    const name = `POST /payout/calculate/ of ${id} at ${rate}/s`;
    findings.push(
      boundFinding(`${name}, answered`, perSecond, "/s", null),
      boundFinding(`${name}, p50`, p50Ms, "ms", null),
      boundFinding(`${name}, p99`, p99Ms, "ms", 20),
      ...processorFindings(
        `${name}: processor time per request, api, PostgreSQL and the worker's writes`,
        { product: (1e6 * usedSeconds) / (perSecond * (seconds + warmUpSeconds)), floor: null },
        "",
      ),
    );
  }
  return findings;

  async function meter(order: LoadOrder) {
    let answer: LoadAnswer | null = null;
    const usedSeconds = await processorTimeOf(site, [apiPid], async () => {
      answer = await loadHttp(site, order);
    });
    return { answer: present<LoadAnswer>(answer, "an answer"), usedSeconds };
  }
}

function currencyOf(id: PaidChain["id"]) {
  return id === "ETH" ? ether : bitcoinCurrency;
}
