import { useLayoutEffect } from "react";

/**
 * Returns the focus to where it was when a dialog opened, however the dialog ends: closed, or removed together with its content.
 * If that element is gone (a row of a list), the page's main part gets the focus.
 */
export function useReturnFocus(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    return () => {
      const { activeElement } = document;
      // Something outside of the dialog already took the focus, such as the heading of the next page.
      const isFree =
        activeElement === null ||
        activeElement === document.body ||
        activeElement.closest("[role=dialog]") !== null;
      if (!isFree) return;
      const isBack = before instanceof HTMLElement && before.isConnected;
      const target = isBack ? before : document.getElementById("main");
      target?.focus({ preventScroll: true });
    };
  }, [isOpen]);
}
