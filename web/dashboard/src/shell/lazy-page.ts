import { lazyRouteComponent } from "@tanstack/react-router";

/**
 * A page whose code is loaded when it is opened. While the browser is offline, it waits until the browser is online again: the
 * router would reload the document instead, and leave the browser's own error page.
 */
export const lazyPage: typeof lazyRouteComponent = (importer, exportName) =>
  lazyRouteComponent(() => loadOnline(importer), exportName);

async function loadOnline<Module>(importer: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await importer();
    } catch (error) {
      if (navigator.onLine) throw error;
      await online();
    }
  }
}

function online(): Promise<void> {
  return new Promise((resolve) => {
    addEventListener(
      "online",
      () => {
        resolve();
      },
      { once: true },
    );
  });
}
