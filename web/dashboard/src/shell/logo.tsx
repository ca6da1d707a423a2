/** The logo: two gates and the water between them. */
export function Logo({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0b6862" />
      <path d="M8 7v18M24 7v18" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" />
      <path d="M8 12h16" stroke="#fff" strokeWidth="2.5" />
      <path
        d="M11.5 20.5c1.5-1.5 3-1.5 4.5 0s3 1.5 4.5 0"
        fill="none"
        stroke="#8fe3d6"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
