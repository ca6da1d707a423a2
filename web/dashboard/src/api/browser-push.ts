import { languageCode } from "../language/language.ts";
import { api } from "./api.ts";

/** Whether this browser shows notifications: it cannot, the person blocked them, or it can. */
export type PushSupport = "unsupported" | "blocked" | "supported";

const worker = "/ui/push-worker.js";
const scope = "/ui/";
/** Who turned notifications on in this browser: another member who signs in here must not see them. */
const ownerName = "sluice-push-member";

export function pushSupport(): PushSupport {
  const isSupported =
    "serviceWorker" in navigator &&
    "PushManager" in globalThis &&
    typeof Notification === "function";
  if (!isSupported) return "unsupported";
  return Notification.permission === "denied" ? "blocked" : "supported";
}

/** This browser's subscription; null without one. */
async function currentSubscription(): Promise<PushSubscription | null> {
  if (pushSupport() === "unsupported") return null;
  const registration = await navigator.serviceWorker.getRegistration(scope);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The endpoint under which the service knows this browser; null while notifications are off here. */
export async function currentEndpoint(): Promise<string | null> {
  return (await currentSubscription())?.endpoint ?? null;
}

/**
 * Asks the person for permission and subscribes this browser with the deployment's key. False if the person refused. Throws if the
 * browser's push service cannot be reached, or the service refuses.
 */
export async function turnOnPush(pushKey: string, memberId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker.register(worker, { scope });
  // The page may be at `/ui`, outside the worker's scope, where `ready` never resolves.
  const registration = await untilActive();
  const former = await registration.pushManager.getSubscription();
  // A browser holds one subscription per site, bound to one key.
  if (former !== null && !isOfKey(former, pushKey)) await former.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(pushKey),
  });
  await report(subscription);
  localStorage.setItem(ownerName, memberId);
  return true;
}

/** Ends the subscription of this browser; the service removes its side by itself. */
export async function dropPush(): Promise<void> {
  localStorage.removeItem(ownerName);
  const subscription = await currentSubscription();
  await subscription?.unsubscribe();
}

/**
 * After a sign-in: reports this browser's subscription again, which binds it to the new session, its language and an endpoint that the
 * push service may have changed. Ends the subscription of another member.
 */
export async function renewPush(memberId: string): Promise<void> {
  const subscription = await currentSubscription();
  if (subscription === null) return;
  if (localStorage.getItem(ownerName) === memberId) await report(subscription);
  else await dropPush();
}

async function report(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  await api.post("/push-subscription/", {
    attributes: {
      endpoint: endpoint ?? "",
      p256dh: keys?.["p256dh"] ?? "",
      auth: keys?.["auth"] ?? "",
      language: languageCode,
    },
  });
}

async function untilActive(): Promise<ServiceWorkerRegistration> {
  for (;;) {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    if (registration !== undefined && registration.active !== null) return registration;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isOfKey({ options }: PushSubscription, pushKey: string): boolean {
  const bound = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const wanted = bytesOf(pushKey);
  return bound.length === wanted.length && bound.every((byte, index) => byte === wanted[index]);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
