"""Write solids to files: STL for one part, 3MF for several on one bed. Both in millimetres."""

import zipfile
from collections.abc import Iterable
from io import BytesIO

import numpy as np
from manifold3d import Manifold

DAY = (2026, 1, 1, 0, 0, 0)  # stands in the archive, so that it does not change with the day
TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n'
)
RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n'
)


def mesh(solid: Manifold) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners, (n, 3) in mm, and the triangles, (m, 3) corner indices, anticlockwise from outside."""
    found = solid.to_mesh64()
    return np.asarray(found.vert_properties)[:, :3], np.asarray(found.tri_verts).astype(int)


def stl(solid: Manifold) -> bytes:
    """Return a binary STL file."""
    corners, triangles = mesh(solid)
    faces = corners[triangles]
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    records = np.zeros(len(faces), [("numbers", "<f4", (4, 3)), ("unused", "<u2")])
    records["numbers"][:, 0], records["numbers"][:, 1:] = normals, faces
    return b"tabletop, millimetres".ljust(80) + np.uint32(len(faces)).tobytes() + records.tobytes()


def three_mf(laid: Iterable[tuple[str, Manifold]]) -> bytes:
    """Return a 3MF file of named parts, each at its place on the bed."""
    objects, items = list[str](), list[str]()
    for number, (name, solid) in enumerate(laid, start=1):
        corners, triangles = mesh(solid)
        vertices = "".join(f'<vertex x="{x:.5f}" y="{y:.5f}" z="{z:.5f}"/>' for x, y, z in corners)
        faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in triangles)
        objects.append(
            f'<object id="{number}" type="model" name="{name}"><mesh><vertices>{vertices}</vertices>'
            f"<triangles>{faces}</triangles></mesh></object>\n"
        )
        items.append(f'<item objectid="{number}"/>')
    model = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en-US" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n'
        f"<resources>\n{''.join(objects)}</resources>\n<build>{''.join(items)}</build>\n</model>\n"
    )
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path, text in (("[Content_Types].xml", TYPES), ("_rels/.rels", RELATIONS), ("3D/3dmodel.model", model)):
            archive.writestr(zipfile.ZipInfo(path, DAY), text, zipfile.ZIP_DEFLATED)
    return file.getvalue()
