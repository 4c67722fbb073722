/** `/desk/{token}`: everything the page asks for is below its own address. */
export const address = window.location.pathname.replace(/\/+$/, '')
