import type { Random } from "../../platform/kernel/random.ts";
import { reject } from "../../platform/kernel/rejection.ts";
import { notBuiltAnswer, pageAnswer } from "../jsonapi/page-answer.ts";
import type { PlainAnswer, PlainRequest, PlainRoute } from "./plain-route.ts";
import type { WebProgram } from "./web-program.ts";

/** The service worker. It is asked for nothing but to show notifications, so it may load nothing. */
const pushWorker = "push-worker.js";

/** Where the page holds the nonce for the style elements that its program creates. */
const noncePlace = "%STYLE_NONCE%";

export type DashboardContext = { readonly dashboard: WebProgram; readonly random: Random };

/**
 * `/ui/`: the dashboard's files, and its page at every other address below, which the program routes itself. `/` redirects there.
 */
export function dashboardRoutes({ dashboard, random }: DashboardContext): readonly PlainRoute[] {
  const page = (): PlainAnswer => {
    if (dashboard.html === null) return notBuiltAnswer("The dashboard");
    const styleNonce = Buffer.from(random.bytes(18)).toString("base64");
    return pageAnswer(dashboard.html.replace(noncePlace, styleNonce), { styleNonce });
  };
  const fileOrPage = (request: PlainRequest): PlainAnswer => {
    const path = request.params["*"] ?? "";
    const file = dashboard.answerFile(path, request);
    if (file !== null) return path === pushWorker ? isolated(file) : file;
    return path.startsWith("assets/") ? reject("notFound", "No such file.") : page();
  };
  return [
    {
      kind: "plain",
      method: "GET",
      path: "/",
      isHidden: true,
      summary: "Redirect to the dashboard",
      handle: () => ({
        status: 302,
        contentType: "text/plain; charset=utf-8",
        body: "The dashboard is at /ui/, the API reference at /docs.\n",
        headers: { location: "/ui/" },
      }),
    },
    {
      kind: "plain",
      method: "GET",
      path: "/ui/",
      isHidden: true,
      summary: "Get the dashboard",
      handle: page,
    },
    {
      kind: "plain",
      method: "GET",
      path: "/ui/*",
      isHidden: true,
      summary: "Get a page or a file of the dashboard",
      handle: fileOrPage,
    },
  ];
}

function isolated(file: PlainAnswer): PlainAnswer {
  return {
    ...file,
    headers: {
      ...file.headers,
      "content-security-policy": "default-src 'none'",
      "x-content-type-options": "nosniff",
    },
  };
}
