const PRIMITIVES =
  'stack column row wrap text heading link image button panel card list list_item route_outlet overlay toast drawer modal'

const ELEMENTS =
  'input label textarea select option form fieldset legend table thead tbody tfoot tr th td caption audio video source track canvas svg ' +
  'img span br hr i b em strong small code pre kbd abbr cite blockquote q head meta title link script style noscript main section article ' +
  'aside header footer nav details summary dialog figure figcaption iframe embed object param g defs path circle rect ellipse line polyline ' +
  'polygon text tspan use symbol marker mask pattern stop filter radial_gradient linear_gradient clip_path foreign_object fe_gaussian_blur'

const TAGS: ReadonlySet<string> = new Set(`${PRIMITIVES} ${ELEMENTS}`.split(' '))

/** Whether calling the bare name `name` without positional arguments is a user interface element. */
export function isViewTag(name: string): boolean {
  return TAGS.has(name) || /^[A-Z]/.test(name)
}
