import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Makes a region that scrolls sideways a stop of the Tab key while its content is wider than it is, so that people without a pointer can
 * scroll it; a table that fits needs no stop.
 */
export function useScrollStop(): {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly tabIndex: 0 | -1;
} {
  const ref = useRef<HTMLDivElement>(null);
  const [isWider, setWider] = useState(false);
  useEffect(() => {
    const region = ref.current;
    if (region === null) return;
    const measure = (): void => {
      setWider(region.scrollWidth > region.clientWidth);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(region);
    // Rows that arrive later change the table's width, not the region's.
    for (const child of region.children) observer.observe(child);
    return () => {
      observer.disconnect();
    };
  }, []);
  return { ref, tabIndex: isWider ? 0 : -1 };
}
