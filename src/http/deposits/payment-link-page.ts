import type { LinkPageState } from "../../deposits/links/link-page-state.ts";
import { readLinkPage } from "../../deposits/links/read-link-page.ts";
import { type StartContext, startLinkPayment } from "../../deposits/links/start-link-payment.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { Unavailable } from "../../platform/kernel/unavailable.ts";
import { notBuiltAnswer, pageAnswer } from "../jsonapi/page-answer.ts";
import { pageIdOf } from "../jsonapi/page-id.ts";
import { readPageBody } from "../jsonapi/read-page-body.ts";
import type { PlainAnswer, PlainRequest, PlainRoute } from "../server/plain-route.ts";
import { requireSameOrigin } from "../server/same-origin.ts";
import type { WebProgram } from "../server/web-program.ts";
import { writePage } from "../server/write-page.ts";
import { plainWordsOf } from "./plain-words.ts";

export type LinkPageContext = StartContext & {
  readonly page: WebProgram;
  readonly baseUrl: string;
  readonly isSandbox: boolean;
};

/** `/link/{uuid}/`: the public page of a payment link, and the request that starts a payment. The id is the only credential. */
export function paymentLinkPageRoutes(context: LinkPageContext): readonly PlainRoute[] {
  return [
    {
      kind: "plain",
      method: "GET",
      path: "/link/{id}/",
      isHidden: true,
      throttle: "page",
      summary: "Show the page of a payment link",
      throttledPage: (seconds) =>
        failedPage(context.page, "throttled", 429, `Reload this page in ${seconds} seconds.`),
      handle: (request) => showPage(context, request),
    },
    {
      kind: "plain",
      method: "POST",
      path: "/link/{id}/pay/",
      summary: "Start a payment by a payment link",
      throttle: "payment_link",
      described: {
        description:
          "Creates a deposit and returns the path of its payment page. The id is the UUID in the link's `url`. No token is needed.",
        tag: "payment-page",
        body: {
          type: "object",
          properties: {
            amount: {
              type: "string",
              maxLength: amountMax,
              description: "For links whose payers choose the amount, in the wallet's currency.",
            },
          },
          additionalProperties: false,
        },
        contentType: "application/json",
        answer: {
          type: "object",
          required: ["payment_page"],
          properties: { payment_page: { type: "string" } },
        },
        rows: [
          "notFound",
          "throttled",
          "serviceUnavailable",
          "permissionDenied",
          "unsupportedMediaType",
          "bodyTooLarge",
          "parseError",
          "invalidValue",
          "depositEnded",
          "walletInactive",
          "walletNotActivated",
        ],
      },
      handle: (request) => startPayment(context, request),
    },
  ];
}

const amountMax = 36;

async function startPayment(context: LinkPageContext, request: PlainRequest): Promise<PlainAnswer> {
  requireSameOrigin(request, context.baseUrl);
  const linkId = pageIdOf(request);
  const { amount } = readPageBody(request, { amount: { required: false, maxLength: amountMax } });
  const pageId = linkId === null ? null : await startLinkPayment(context, linkId, amount);
  if (pageId === null) return reject("notFound", "This payment link does not exist.");
  return {
    status: 200,
    contentType: "application/json",
    body: JSON.stringify({ payment_page: `/pay/${pageId}/` }),
    headers: { "cache-control": "no-store" },
  };
}

async function showPage(context: LinkPageContext, request: PlainRequest): Promise<PlainAnswer> {
  const { html } = context.page;
  if (html === null) return notBuiltAnswer("The page of payment links");
  const linkId = pageIdOf(request);
  try {
    const found = linkId === null ? null : await readLinkPage(context, linkId);
    if (found === null) return failedPage(context.page, "not_found", 404, null);
    const { state, frameAncestors } = found;
    return pageAnswer(
      writePage(html, state, plainText(state, request)),
      frameAncestors.length === 0 ? {} : { frameAncestors: frameAncestors.join(" ") },
    );
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    request.logger.warn("cannot read a payment link", { error: error.message });
    return failedPage(context.page, "unavailable", 503, null);
  }
}

function failedPage(
  { html }: WebProgram,
  failure: "not_found" | "throttled" | "unavailable",
  status: number,
  plain: string | null,
): PlainAnswer {
  return html === null
    ? notBuiltAnswer("The page of payment links")
    : pageAnswer(writePage(html, { failure }, plain), {}, status);
}

/** For browsers without JavaScript. */
function plainText({ name, amount, currency }: LinkPageState, { header }: PlainRequest): string {
  const price = amount === null ? "" : ` (${amount} ${currency.code})`;
  return plainWordsOf(header("accept-language")).enable(`${name}${price}`);
}
