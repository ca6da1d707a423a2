import type { Callback } from "../../../../../client/src/api-types.gen.ts";
import { api } from "../../api/api.ts";
import { attemptText } from "../../components/attempt-text.ts";
import { t } from "../../language/t.ts";

/** An attempt may take longer than this; its result is then found in the list. */
const patienceMs = 15_000;
const pauseMs = 500;

/** Sends a test delivery to an endpoint and waits for its first attempt, at most a quarter of a minute. */
export async function sendTestDelivery(endpointId: string): Promise<Callback> {
  let { data } = await api.post("/webhook-endpoint/{id}/test/", { id: endpointId });
  for (let waitedMs = 0; data.attributes.attempts === 0 && waitedMs < patienceMs; ) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    waitedMs += pauseMs;
    ({ data } = await api.get("/callback/{id}/", { id: data.id }));
  }
  return data;
}

/** The notification about a test delivery: what the endpoint answered, if it did. */
export function testDeliveryNotice({ attributes }: Pick<Callback, "attributes">): {
  readonly title: string;
  readonly message: string;
  readonly color?: string;
} {
  const { attempts, last_status_code: code, last_error: error } = attributes;
  if (attempts === 0)
    return {
      title: t("Test delivery sent"),
      message: t("Your endpoint hasn't answered yet."),
    };
  if (code === 200)
    return {
      title: t("Test delivered"),
      message: t("Your endpoint answered {status}.", { status: 200 }),
    };
  return {
    title: t("Test delivery failed"),
    color: "red",
    message:
      code === null
        ? t("Your endpoint gave no answer: {reason}.", { reason: attemptText(code, error) })
        : t("Your endpoint answered {status}. Only 200 counts as delivered.", { status: code }),
  };
}
