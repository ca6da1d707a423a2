import { isAllowedFrom } from "../accounts/allowed-network.ts";
import type { PlainRequest, PlainRoute } from "../http/route.ts";
import { reject } from "../kernel/rejection.ts";
import { shareAnswer } from "../kernel/share-answer.ts";
import { checkReadiness, type ReadinessContext } from "../operations/check-readiness.ts";
import type { Metrics } from "./metrics.ts";

/** Seconds for which one look at the database serves everybody who asks whether the service is ready. */
const sharedSeconds = 1;

export type OperationsRoute = {
  readonly path: string;
  readonly summary: string;
  /** Says more than a stranger need know: how much is done here, and for how many. */
  readonly isForKeepers: boolean;
  readonly answer: () => Promise<OperationsAnswer>;
};

type OperationsAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
};

/** `/healthz`, `/readyz` and `/metrics`: for the machine's keepers, outside JSON:API and without a token. */
export function operationsRoutes(
  context: ReadinessContext,
  metrics: Metrics,
): readonly OperationsRoute[] {
  const contentType = "application/json";
  const readinessNow = shareAnswer(() => checkReadiness(context), context.clock, sharedSeconds);
  return [
    {
      path: "/healthz",
      summary: "Answer that the process lives",
      isForKeepers: false,
      answer: () => Promise.resolve({ status: 200, contentType, body: '{"status":"ok"}' }),
    },
    {
      path: "/readyz",
      summary:
        "Tell whether deposits and payouts can be made: the database is there, and each chain is read up to its node's tip",
      isForKeepers: false,
      answer: async () => {
        const readiness = await readinessNow();
        const status = readiness.ready ? 200 : 503;
        return { status, contentType, body: JSON.stringify(readiness) };
      },
    },
    {
      path: "/metrics",
      summary: "Metrics in the Prometheus text format",
      isForKeepers: true,
      answer: async () => ({ status: 200, ...(await metrics.render()) }),
    },
  ];
}

/**
 * The same routes on the API's server, which strangers reach as well: what is for keepers is answered to the networks named
 * alone, to anybody else as if it were not there.
 */
export function operationsOverHttp(
  routes: readonly OperationsRoute[],
  keepers: { readonly networks: readonly string[]; readonly trustedProxies: number },
): readonly PlainRoute[] {
  return routes.map(({ path, summary, isForKeepers, answer }) => ({
    kind: "plain",
    method: "GET",
    path,
    summary,
    handle: (request) => {
      if (isForKeepers && !isFromKeeper(request, keepers))
        reject("notFound", "There is nothing at this address.");
      return answer();
    },
  }));
}

/** A proxy that is not configured as one may stand on this very machine: what it passes on comes from anywhere. */
function isFromKeeper(
  { ip, header }: Pick<PlainRequest, "ip" | "header">,
  keepers: { readonly networks: readonly string[]; readonly trustedProxies: number },
): boolean {
  const isPassedOn = header("x-forwarded-for") !== null || header("forwarded") !== null;
  const isKnown = keepers.trustedProxies > 0 || !isPassedOn;
  return isKnown && keepers.networks.length > 0 && isAllowedFrom(keepers.networks, ip);
}
