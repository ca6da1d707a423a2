// The dashboard's service worker: shows the messages that the browser's push service delivers, and opens the page of one on a click.
// It intercepts no requests and stores nothing. Served as it is written, without a build.
const home = new URL("/ui/", self.location.origin).href;

self.addEventListener("install", () => {
  self.skipWaiting();
});

self.addEventListener("push", (event) => {
  const { title, body, tag, path, language } = readMessage(event.data);
  event.waitUntil(
    // A repeated message has the same tag, which replaces the one that is shown.
    self.registration.showNotification(title, { body, tag, lang: language, data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(pageOf(event.notification.data?.path)));
});

/** Browsers require that each message is shown, so one that cannot be read is shown without its text. */
function readMessage(data) {
  try {
    const message = data.json();
    if (typeof message.title === "string") return message;
  } catch {
    // It is no JSON.
  }
  return { title: "Sluice", body: "", tag: "", path: "", language: "en" };
}

/** A page of this dashboard, whatever the message says. */
function pageOf(path) {
  if (typeof path !== "string") return home;
  try {
    const { href } = new URL(path, home);
    return href.startsWith(home) ? href : home;
  } catch {
    return home;
  }
}

/** Shows the tab that has the page, or opens one: another tab may hold a form that is not sent yet. */
async function openPage(href) {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => url === href);
  await (tab === undefined ? self.clients.openWindow(href) : tab.focus());
}
