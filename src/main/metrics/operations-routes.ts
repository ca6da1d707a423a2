import { isAllowedFrom } from "../../accounts/tokens/allowed-network.ts";
import type { PlainRequest, PlainRoute } from "../../http/server/plain-route.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { shareAnswer } from "../../platform/kernel/share-answer.ts";
import {
  checkServing,
  checkSystem,
  type ReadinessContext,
  type Serving,
} from "../../reports/operations/check-readiness.ts";
import type { Metrics } from "./metrics.ts";

/** Seconds for which one look at the database serves everybody who asks whether the service is ready. */
const sharedSeconds = 1;

export type OperationsRoute = {
  readonly path: string;
  readonly summary: string;
  /** Says more than a stranger need know: how much is done here, and for how many. */
  readonly isForKeepers: boolean;
  /** `query`: what stands behind the address. */
  readonly answer: (query: URLSearchParams) => Promise<OperationsAnswer>;
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
  const serving = shareAnswer(() => checkServing(context), context.clock, sharedSeconds);
  const system = shareAnswer(() => checkSystem(context), context.clock, sharedSeconds);
  const answerOf = (found: Serving): OperationsAnswer => ({
    status: found.ready ? 200 : 503,
    contentType,
    body: JSON.stringify(found),
  });
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
        "Tell whether this process can serve: the database can be written to, and the clock is right. With `?scope=system` also whether chains, reconciliation and the signer work",
      isForKeepers: false,
      answer: async (query) => {
        const scope = query.get("scope");
        if (scope === null) return answerOf(await serving());
        if (scope === "system") return answerOf(await system());
        const body = JSON.stringify({ error: "scope must be system, or absent" });
        return { status: 400, contentType, body };
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
      return answer(queryOf(request.url));
    },
  }));
}

/** What follows the path; empty for what is no URL. */
export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split("?").slice(1).join("?"));
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
